// Hash tables with the equality of Python's dict and set: two keys are equal only if all their bits are.
//
// A key is a 62-bit number, or a struct with hash(), == and used(), which is false for the default. Open addressing with
// linear probing in one block of memory, at most two thirds full. Nothing is ever removed but all at once.
#pragma once

#include <cstdint>
#include <vector>

namespace tengen {

constexpr uint64_t HASH_FACTOR = 0x9E3779B97F4A7C15u;

// A 62-bit number as a key. One bit more tells it from a free slot.
class NumberKey {
public:
    NumberKey() = default;
    NumberKey(uint64_t number) : bits_(number | OCCUPIED) {}
    bool operator==(NumberKey other) const { return bits_ == other.bits_; }
    bool used() const { return bits_; }
    uint64_t hash() const { return bits_ * HASH_FACTOR; }

private:
    static constexpr uint64_t OCCUPIED = uint64_t(1) << 63;
    uint64_t bits_ = 0;
};

template <class Value, class Key = NumberKey>
class FlatMap {
public:
    FlatMap() { clear(); }

    size_t size() const { return size_; }

    // The value of a key; null if there is none. Valid until the next put().
    Value* find(const Key& key) {
        Slot& slot = slots_[place(key)];
        return slot.key.used() ? &slot.value : nullptr;
    }

    bool has(const Key& key) const { return slots_[place(key)].key.used(); }

    // The value of a key, made if it is new. Valid until the next put().
    Value& put(const Key& key) {
        size_t at = place(key);
        if (!slots_[at].key.used()) {
            if (3 * ++size_ > 2 * slots_.size()) {
                grow();
                at = place(key);
            }
            slots_[at].key = key;
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
    void prefetch(const Key& key) const { __builtin_prefetch(&slots_[key.hash() >> shift_]); }

private:
    static constexpr size_t SMALLEST = 1024;

    struct Slot {
        Key key{};
        Value value{};
    };

    // The slot of a key, or the free slot where it would stand.
    size_t place(const Key& key) const {
        size_t at = key.hash() >> shift_;
        while (slots_[at].key.used() && !(slots_[at].key == key)) at = (at + 1) & (slots_.size() - 1);
        return at;
    }

    void grow() {
        std::vector<Slot> before(2 * slots_.size());
        before.swap(slots_);
        set_shift();
        for (Slot& slot : before) {
            if (slot.key.used()) slots_[place(slot.key)] = slot;
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
