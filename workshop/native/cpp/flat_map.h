// Hash tables by 62-bit keys with the equality of Python's dict and set: two keys are equal only if all bits are.
//
// Open addressing with linear probing in one block of memory, at most two thirds full. Nothing is ever removed but all
// at once.
#pragma once

#include <cstdint>
#include <vector>

namespace tengen {

constexpr uint64_t OCCUPIED = uint64_t(1) << 63;

template <class Value>
class FlatMap {
public:
    struct Slot {
        uint64_t key = 0;       // with the bit OCCUPIED; 0 in a free slot
        Value value{};
    };

    FlatMap() { clear(); }

    size_t size() const { return size_; }

    // The value of a key; null if there is none. Valid until the next put().
    Value* find(uint64_t key) {
        Slot& slot = slots_[place(key)];
        return slot.key ? &slot.value : nullptr;
    }

    bool has(uint64_t key) const { return slots_[place(key)].key != 0; }

    // The value of a key, made if it is new. Valid until the next put().
    Value& put(uint64_t key) {
        size_t at = place(key);
        if (!slots_[at].key) {
            if (3 * ++size_ > 2 * slots_.size()) {
                grow();
                at = place(key);
            }
            slots_[at].key = key | OCCUPIED;
        }
        return slots_[at].value;
    }

    void clear() {
        if (size_ || slots_.empty()) {
            slots_.assign(slots_.empty() ? SMALLEST : slots_.size(), Slot());
            size_ = 0;
            set_shift();
        }
    }

    // Load the place of a key into the cache.
    void prefetch(uint64_t key) const { __builtin_prefetch(&slots_[home(key)]); }

private:
    static constexpr size_t SMALLEST = 1024;

    size_t home(uint64_t key) const { return (key | OCCUPIED) * 0x9E3779B97F4A7C15u >> shift_; }

    size_t place(uint64_t key) const {
        size_t at = home(key);
        while (slots_[at].key && slots_[at].key != (key | OCCUPIED)) at = (at + 1) & (slots_.size() - 1);
        return at;
    }

    void grow() {
        std::vector<Slot> before(2 * slots_.size());
        before.swap(slots_);
        set_shift();
        for (Slot& slot : before) {
            if (slot.key) slots_[place(slot.key & ~OCCUPIED)] = slot;
        }
    }

    void set_shift() { shift_ = 64 - __builtin_ctzll(slots_.size()); }

    std::vector<Slot> slots_;
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
