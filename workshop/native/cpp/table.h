// The transposition table of two generations: mirrors Table of submission/table.py.
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

class Table {
public:
    size_t entries = 0;                     // most entries of one generation

    const TableEntry* get(uint64_t key) {
        const TableEntry* found = young_.find(key);
        return found ? found : old_.find(key);
    }

    void put(uint64_t key, int depth, Bound bound, int value, int move) {
        if (young_.size() >= entries) {
            std::swap(young_, old_);
            young_.clear();
        }
        young_.put(key) = {value, int16_t(move), int16_t(depth), uint16_t(bound)};
    }

    void prefetch(uint64_t key) const {
        young_.prefetch(key);
        old_.prefetch(key);
    }

    void clear() {
        young_.clear();
        old_.clear();
    }

private:
    FlatMap<TableEntry> young_, old_;
};

}  // namespace tengen
