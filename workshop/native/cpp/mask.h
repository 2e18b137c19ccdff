// A set of at most 256 cells; submission/ has a Python int with one bit per cell instead.
//
// Boards of up to 16 x 16 cells fit. The compiler's vector type handles four words in one instruction, or in four
// instructions if the processor has no vectors of that size.
#pragma once

#include <cstdint>
#ifdef __AVX__
#include <immintrin.h>
#endif

namespace tengen {

constexpr int MOST_CELLS = 256;

struct alignas(32) Mask {
    typedef uint64_t Words __attribute__((vector_size(32), may_alias));
    Words words = {0, 0, 0, 0};

    static Mask of(int cell) {
        Mask mask;
        mask.flip(cell);
        return mask;
    }

    uint64_t* array() { return reinterpret_cast<uint64_t*>(&words); }
    const uint64_t* array() const { return reinterpret_cast<const uint64_t*>(&words); }
    void flip(int cell) { array()[cell >> 6] ^= uint64_t(1) << (cell & 63); }
    bool has(int cell) const { return array()[cell >> 6] >> (cell & 63) & 1; }

    bool any() const {
#ifdef __AVX__
        return !_mm256_testz_si256((__m256i)words, (__m256i)words);
#else
        return (words[0] | words[1] | words[2] | words[3]) != 0;
#endif
    }

    int count() const {
        int bits = 0;
        for (int i = 0; i < 4; i++) bits += __builtin_popcountll(array()[i]);
        return bits;
    }

    // Whether there are two cells or more: `mask & (mask - 1)` of the Python code.
    bool several() const { return count() > 1; }

    // The lowest and the highest cell of a set that is not empty.
    int lowest() const {
        int i = 0;
        while (!array()[i]) i++;
        return 64 * i + __builtin_ctzll(array()[i]);
    }
    int highest() const {
        int i = 3;
        while (!array()[i]) i--;
        return 64 * i + 63 - __builtin_clzll(array()[i]);
    }

    friend Mask operator&(Mask a, Mask b) { return {a.words & b.words}; }
    friend Mask operator|(Mask a, Mask b) { return {a.words | b.words}; }
    friend Mask operator^(Mask a, Mask b) { return {a.words ^ b.words}; }
    Mask without(Mask b) const { return {words & ~b.words}; }
    Mask& operator&=(Mask b) { words &= b.words; return *this; }
    Mask& operator|=(Mask b) { words |= b.words; return *this; }
};

// Walks through the cells of a set, the lowest first: `for (Cells cells(mask); cells.next(cell);)`.
class Cells {
public:
    explicit Cells(const Mask& mask) {
        for (int i = 0; i < 4; i++) words_[i] = mask.array()[i];
    }

    bool next(int& cell) {
        while (!words_[at_]) {
            if (++at_ == 4) return false;
        }
        cell = 64 * at_ + __builtin_ctzll(words_[at_]);
        words_[at_] &= words_[at_] - 1;
        return true;
    }

private:
    uint64_t words_[5];
    int at_ = 0;
};

// A list of moves of bounded length, without heap memory.
struct MoveList {
    int size = 0;
    int16_t cells[MOST_CELLS + 32];

    void add(int cell) { cells[size++] = int16_t(cell); }
    bool has(int cell) const { return find(cell) >= 0; }
    int find(int cell) const {
        for (int i = 0; i < size; i++) {
            if (cells[i] == cell) return i;
        }
        return -1;
    }
    // Move a cell to the front, if it is in the list.
    void to_front(int cell) {
        int at = find(cell);
        for (; at > 0; at--) {
            cells[at] = cells[at - 1];
            cells[at - 1] = int16_t(cell);
        }
    }
};

}  // namespace tengen
