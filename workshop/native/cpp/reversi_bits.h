// The rules of Reversi on an N x N board as bit masks: legal cells and flips.
//
// A mask has bit row * N + col. The results are those of ListGraph in submission/reversi/board.py, computed in another
// way: shifts extend runs of the opponent's discs along all axes at once.
#pragma once

#include <cstdint>
#include <type_traits>

#include "flat_map.h"

namespace tengen {

constexpr int PASS = -1;

// Four masks, one for each axis of the board: rows, columns and both diagonals. Vector instructions work on
// all four at once; masks of 128 bits take two vectors.
template <class Bits>
struct AxisMasks {
    using Quad = uint64_t __attribute__((vector_size(32)));
    static constexpr bool WIDE = sizeof(Bits) > 8;

    Quad low, high;

    AxisMasks(Quad low, Quad high) : low(low), high(high) {}
    AxisMasks(Bits mask) : AxisMasks(mask, mask, mask, mask) {}
    AxisMasks(Bits row, Bits column, Bits falling, Bits rising)
        : low{uint64_t(row), uint64_t(column), uint64_t(falling), uint64_t(rising)},
          high{upper(row), upper(column), upper(falling), upper(rising)} {}

    AxisMasks operator&(const AxisMasks& other) const { return {low & other.low, high & other.high}; }
    AxisMasks operator|(const AxisMasks& other) const { return {low | other.low, high | other.high}; }

    // For each axis: all bits if its mask is not empty, else none.
    AxisMasks not_empty() const {
        const Quad any = Quad((low | high) != Quad{});
        return {any, any};
    }

    Bits united() const {
        Bits cells = low[0] | low[1] | low[2] | low[3];
        if constexpr (WIDE) cells |= Bits(high[0] | high[1] | high[2] | high[3]) << 64;
        return cells;
    }

private:
    static uint64_t upper(Bits mask) { return uint64_t(mask >> 32 >> 32); }
};

template <int N>
struct Reversi {
    static_assert(N % 2 == 0 && N >= 4 && N <= 10, "a mask has at most 128 bits");

    static constexpr int CELLS = N * N;
    using Bits = std::conditional_t<(CELLS <= 64), uint64_t, unsigned __int128>;

    static constexpr Bits bit(int cell) { return Bits(1) << cell; }
    static constexpr Bits ALL = CELLS == 8 * sizeof(Bits) ? ~Bits(0) : (Bits(1) << CELLS % (8 * sizeof(Bits))) - 1;

    // All cells except the first and the last column: discs flipped along a row or a diagonal are on these cells.
    static constexpr Bits inner_columns() {
        Bits mask = 0;
        for (int cell = 0; cell < CELLS; cell++) {
            if (cell % N && cell % N < N - 1) mask |= bit(cell);
        }
        return mask;
    }
    static constexpr Bits INNER = inner_columns();

    static int count(Bits mask) {
        if constexpr (sizeof(Bits) == 8) {
            return __builtin_popcountll(mask);
        } else {
            return __builtin_popcountll(uint64_t(mask)) + __builtin_popcountll(uint64_t(mask >> 64));
        }
    }

    static int lowest(Bits mask) {
        if constexpr (sizeof(Bits) == 8) {
            return __builtin_ctzll(mask);
        } else {
            return uint64_t(mask) ? __builtin_ctzll(uint64_t(mask)) : 64 + __builtin_ctzll(uint64_t(mask >> 64));
        }
    }

    template <class Visit>
    static void each(Bits mask, Visit visit) {
        for (; mask; mask &= mask - 1) visit(lowest(mask));
    }

    static Bits legal(Bits own, Bits other) {
        const Axes from(own), his = runners(other);
        const Axes ends = moved<1>(run<1>(from, his)) | moved<-1>(run<-1>(from, his));
        return ends.united() & ALL & ~(own | other);
    }

    // The discs that a disc on a free cell flips; none if the move is illegal.
    static Bits flips(Bits own, Bits other, int cell) {
        const Axes from(bit(cell)), mine(own), his = runners(other);
        return (enclosed<1>(run<1>(from, his), mine) | enclosed<-1>(run<-1>(from, his), mine)).united();
    }

private:
    using Axes = AxisMasks<Bits>;
    using Quad = typename Axes::Quad;
    static constexpr Quad STEPS = {1, N, N + 1, N - 1};

    // For each axis, the discs of a mask that can be flipped along it.
    static Axes runners(Bits discs) {
        const Bits inner = discs & INNER;
        return {inner, discs, inner, inner};
    }

    // Each axis's cells shifted by CELLS along it, to lower numbers if CELLS < 0. Shifts do not stop at the edges.
    template <int CELLS>
    static Axes moved(const Axes& from) {
        constexpr Quad by = STEPS * (CELLS < 0 ? -CELLS : CELLS);
        Axes to = CELLS < 0 ? Axes(from.low >> by, from.high >> by) : Axes(from.low << by, from.high << by);
        if (Axes::WIDE && CELLS < 0) to.low |= from.high << (64 - by);
        if (Axes::WIDE && CELLS > 0) to.high |= from.low >> (64 - by);
        return to;
    }

    // The unbroken runs of `other` that begin beside a cell of `from`, to higher (WAY 1) or lower numbers (WAY -1).
    template <int WAY>
    static Axes run(const Axes& from, const Axes& other) {
        Axes found = other & moved<WAY>(from);
        found = found | (other & moved<WAY>(found));
        const Axes pairs = other & moved<WAY>(other);
        for (int i = 4; i < N; i += 2) found = found | (pairs & moved<2 * WAY>(found));
        return found;
    }

    // For each axis, the run if it ends at a disc of `mine`, else nothing.
    template <int WAY>
    static Axes enclosed(const Axes& runs, const Axes& mine) {
        return runs & (moved<WAY>(runs) & mine).not_empty();
    }
};

// A board as a key: two masks and a number. Different boards have different keys.
template <class Bits>
class BoardKey {
public:
    BoardKey() = default;
    BoardKey(Bits first, Bits second, uint64_t number) : number_(number) {
        uint64_t* at = words_;
        for (Bits mask : {first, second}) {
            for (size_t i = 0; i < sizeof(Bits) / 8; i++) *at++ = uint64_t(mask >> 32 * i >> 32 * i);
        }
    }

    bool operator==(const BoardKey& other) const {
        uint64_t differing = number_ ^ other.number_;
        for (size_t i = 0; i < WORDS; i++) differing |= words_[i] ^ other.words_[i];
        return !differing;
    }

    uint64_t hash() const {
        uint64_t mixed = number_, factor = HASH_FACTOR;
        for (uint64_t word : words_) {
            mixed += (word ^ word >> 32) * factor;
            factor *= HASH_FACTOR;
        }
        mixed = (mixed ^ mixed >> 29) * HASH_FACTOR;
        return mixed ^ mixed >> 32;
    }

private:
    static constexpr size_t WORDS = 2 * sizeof(Bits) / 8;

    uint64_t words_[WORDS] = {}, number_ = 0;
};

}  // namespace tengen
