// The transposition table of two generations: mirrors Table of submission/search/table.py.
#pragma once

#include <utility>

#include "flat_map.h"

namespace tengen {

enum Bound { EXACT, LOWER, UPPER };         // meaning of an entry's value: exact, lower bound, upper bound

struct TableEntry {
    int32_t value;
    int16_t move;
    int16_t depth : 14;
    uint16_t bound : 2;
};

// Entry: TableEntry for alpha-beta, or the class of a solver's entries.
template <class Key, class Entry = TableEntry>
class Table {
public:
    size_t entries = 0;                     // most entries of one generation

    const Entry* get(const Key& key) {
        const Entry* found = young_.find(key);
        return found ? found : old_.find(key);
    }

    void put(const Key& key, const Entry& entry) {
        if (young_.size() >= entries) {
            std::swap(young_, old_);
            young_.clear();
        }
        young_.put(key) = entry;
    }

    void prefetch(const Key& key) const {
        young_.prefetch(key);
        old_.prefetch(key);
    }

private:
    FlatMap<Entry, Key> young_, old_;
};

}  // namespace tengen
