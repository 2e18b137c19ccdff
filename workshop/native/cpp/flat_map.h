// Hash tables that compare whole keys, as Python's dict and set do.
//
// A key is a 62-bit number, or a class with hash() and ==. Open addressing with linear probing, at most two thirds
// full. A part of each hash stands in an array of its own, so that most look-ups touch one line of the cache. clear()
// removes all entries; single entries cannot be removed.
#pragma once

#include <cstdint>
#include <vector>

namespace tengen {

constexpr uint64_t HASH_FACTOR = 0x9E3779B97F4A7C15u;

// A 62-bit number as a key.
class NumberKey {
public:
    NumberKey() = default;
    NumberKey(uint64_t number) : number_(number) {}
    bool operator==(NumberKey other) const { return number_ == other.number_; }
    uint64_t hash() const {
        const uint64_t mixed = number_ * HASH_FACTOR;
        return mixed ^ mixed >> 32;     // tag_of() uses the low half
    }

private:
    uint64_t number_ = 0;
};

template <class Value, class Key = NumberKey>
class FlatMap {
public:
    FlatMap() { clear(); }

    size_t size() const { return size_; }

    // The value of a key; null if there is none. Valid until the next put().
    Value* find(const Key& key) {
        const size_t at = place(key);
        return tags_[at] ? &slots_[at].value : nullptr;
    }

    bool has(const Key& key) const { return tags_[place(key)]; }

    // The value of a key; a new key gets a default value. Valid until the next put().
    Value& put(const Key& key) {
        size_t at = place(key);
        if (!tags_[at]) {
            if (3 * ++size_ > 2 * slots_.size()) {
                grow();
                at = place(key);
            }
            tags_[at] = tag_of(key.hash());
            slots_[at] = {key, Value{}};
        }
        return slots_[at].value;
    }

    void clear() {
        if (slots_.empty()) slots_.resize(SMALLEST);
        if (size_ || tags_.empty()) tags_.assign(slots_.size(), 0);
        size_ = 0;
        set_shift();
    }

    // Prefetch the tag of a key into the processor's cache.
    void prefetch(const Key& key) const { __builtin_prefetch(&tags_[key.hash() >> shift_]); }

private:
    static constexpr size_t SMALLEST = 1024;

    struct Slot {
        Key key{};
        Value value{};
    };

    static uint32_t tag_of(uint64_t hash) { return uint32_t(hash) | 1; }

    // The slot of a key, or the free slot where it would stand.
    size_t place(const Key& key) const {
        const uint64_t hash = key.hash();
        const uint32_t tag = tag_of(hash);
        size_t at = hash >> shift_;
        while (tags_[at] && !(tags_[at] == tag && slots_[at].key == key)) at = (at + 1) & (slots_.size() - 1);
        return at;
    }

    void grow() {
        std::vector<Slot> slots(2 * slots_.size());
        std::vector<uint32_t> tags(slots.size());
        slots.swap(slots_);
        tags.swap(tags_);
        set_shift();
        for (size_t i = 0; i < slots.size(); i++) {
            if (!tags[i]) continue;
            const size_t at = place(slots[i].key);
            tags_[at] = tags[i];
            slots_[at] = slots[i];
        }
    }

    void set_shift() { shift_ = 64 - __builtin_ctzll(slots_.size()); }

    std::vector<Slot> slots_;
    std::vector<uint32_t> tags_;        // part of the hash of the key in each slot; 0: the slot is free
    size_t size_ = 0;
    int shift_ = 0;
};

// A set of keys.
class FlatSet {
public:
    size_t size() const { return keys_.size(); }
    bool has(uint64_t key) const { return keys_.has(key); }
    void add(uint64_t key) { keys_.put(key); }
    void clear() { keys_.clear(); }

private:
    struct Nothing {};
    FlatMap<Nothing> keys_;
};

}  // namespace tengen
