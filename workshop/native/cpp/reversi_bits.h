// The rules of Reversi on an N x N board as bit masks: legal cells and flips.
//
// A mask has bit row * N + col. Mirrors what the steps of ListGraph in submission/reversi/board.py say, by other means:
// runs of the other side's discs are extended by shifts, along all axes at once.
#pragma once

#include <cstdint>
#include <type_traits>

#include "flat_map.h"

namespace tengen {

constexpr int PASS = -1;

// Four masks of an N x N board, one for each axis: rows, columns and both diagonals. They are shifted together, in the
// vectors of the processor; a mask of 128 bits is in two of them.
template <int N, class Bits>
class AxisMasks {
public:
    AxisMasks() = default;
    AxisMasks(Bits mask) : AxisMasks(mask, mask, mask, mask) {}
    AxisMasks(Bits row, Bits column, Bits falling, Bits rising)
        : low_{uint64_t(row), uint64_t(column), uint64_t(falling), uint64_t(rising)},
          high_{upper(row), upper(column), upper(falling), upper(rising)} {}

    AxisMasks operator&(const AxisMasks& other) const { return {low_ & other.low_, high_ & other.high_}; }
    AxisMasks operator|(const AxisMasks& other) const { return {low_ | other.low_, high_ | other.high_}; }

    // Every cell moved along its axis, upwards (to greater numbers) or downwards; over the edges of a row, too.
    template <int CELLS = 1>
    AxisMasks up() const {
        constexpr Quad by = STEPS * CELLS;
        if constexpr (!WIDE) return {low_ << by, high_};
        return {low_ << by, high_ << by | low_ >> (64 - by)};
    }
    template <int CELLS = 1>
    AxisMasks down() const {
        constexpr Quad by = STEPS * CELLS;
        if constexpr (!WIDE) return {low_ >> by, high_};
        return {low_ >> by | high_ << (64 - by), high_ >> by};
    }

    // The cells of `other` in a row from these cells on, upwards or downwards.
    AxisMasks run_up(const AxisMasks& other) const {
        AxisMasks run = other & up();
        run = run | (other & run.up());
        const AxisMasks pairs = other & other.up();
        for (int i = 4; i < N; i += 2) run = run | (pairs & run.template up<2>());
        return run;
    }
    AxisMasks run_down(const AxisMasks& other) const {
        AxisMasks run = other & down();
        run = run | (other & run.down());
        const AxisMasks pairs = other & other.down();
        for (int i = 4; i < N; i += 2) run = run | (pairs & run.template down<2>());
        return run;
    }

    // All cells for an axis that has any, and none for the others.
    AxisMasks not_empty() const {
        const Quad any = Quad((low_ | high_) != Quad{});
        return {any, any};
    }

    Bits united() const {
        Bits cells = low_[0] | low_[1] | low_[2] | low_[3];
        if constexpr (WIDE) cells |= Bits(high_[0] | high_[1] | high_[2] | high_[3]) << 64;
        return cells;
    }

private:
    using Quad = uint64_t __attribute__((vector_size(32)));
    static constexpr bool WIDE = sizeof(Bits) > 8;
    static constexpr Quad STEPS = {1, N, N + 1, N - 1};

    AxisMasks(Quad low, Quad high) : low_(low), high_(high) {}

    static uint64_t upper(Bits mask) { return uint64_t(mask >> 32 >> 32); }

    Quad low_, high_;
};

template <int N>
struct Reversi {
    static_assert(N % 2 == 0 && N >= 4 && N <= 10, "a mask has at most 128 bits");

    static constexpr int CELLS = N * N;
    using Bits = std::conditional_t<(CELLS <= 64), uint64_t, unsigned __int128>;

    static constexpr Bits bit(int cell) { return Bits(1) << cell; }
    static constexpr Bits ALL = CELLS == 8 * sizeof(Bits) ? ~Bits(0) : (Bits(1) << CELLS % (8 * sizeof(Bits))) - 1;

    // All cells but those of the first and last column: a run along a row or a diagonal has discs on no others.
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
        const Axes found = from.run_up(his).up() | from.run_down(his).down();
        return found.united() & ALL & ~(own | other);
    }

    // The discs that a disc on a free cell flips; none if the move is illegal.
    static Bits flips(Bits own, Bits other, int cell) {
        const Axes from(bit(cell)), mine(own), his = runners(other);
        const Axes above = from.run_up(his), below = from.run_down(his);
        return ((above & (above.up() & mine).not_empty()) | (below & (below.down() & mine).not_empty())).united();
    }

private:
    using Axes = AxisMasks<N, Bits>;

    // The discs of a mask that runs can go on over, for each axis.
    static Axes runners(Bits discs) {
        const Bits inner = discs & INNER;
        return {inner, discs, inner, inner};
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
