// A Reversi board for the search, with its evaluation: mirrors ReversiPosition and CellListEvaluator.
// A cell list's configuration is a number in base 3 (0 free, 1 black, 2 white; the first cell is the lowest digit),
// which play() keeps up to date. The number is the index of the configuration's value in a table filled by Python.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "flat_map.h"
#include "mask.h"
#include "parameters.h"
#include "patterns.h"
#include "reversi_bits.h"

namespace tengen {

constexpr int FINAL = 100000;           // a won game has the value FINAL + DISC * difference
constexpr int DISC = 1000;              // value of a disc of the final difference
constexpr int UNIT = 32;                // the value of one disc, in the evaluation

inline int final_value(int difference) {
    return difference * DISC + (difference > 0 ? FINAL : difference < 0 ? -FINAL : 0);
}

// Data that all boards of one size share.
template <int N>
struct ReversiGeometry {
    static constexpr int MOST_LISTS = 6 * N + 8;        // 2 N + 2 (2 N - 5) lines of three or more cells, and 16 other lists
    using Contents = std::conditional_t<(N <= 8), uint16_t, uint32_t>;

    ReversiParameters use;
    int lists = 0;
    Contents powers[N * N][MOST_LISTS] = {};            // 3 to the power of the cell's place in the list; 0: not on the list
    int64_t offset[MOST_LISTS];                         // of a list's values in the table of a stage
    int64_t contents;                                   // number of contents in the table of a stage
    std::vector<int16_t> values;                        // by stage and content

    // cells: each list's cells, then -1; offsets: of each list.
    ReversiGeometry(const ReversiParameters& use, int lists, const int32_t* cells, const int64_t* offsets,
                    int64_t contents, const int16_t* values)
        : use(use), lists(lists), contents(contents), values(values, values + STAGES * contents) {
        for (int list = 0; list < lists; list++) {
            offset[list] = offsets[list];
            for (int power = 1; *cells >= 0; cells++, power *= 3) powers[*cells][list] = Contents(power);
            cells++;
        }
    }
};

template <int N>
class ReversiPosition {
public:
    using Rules = Reversi<N>;
    using Bits = typename Rules::Bits;

    using Key = BoardKey<Bits>;         // the whole position

    const ReversiGeometry<N>& geometry;
    const ReversiParameters& parameters;
    int side = BLACK;

    explicit ReversiPosition(const ReversiGeometry<N>& geometry)
        : geometry(geometry), parameters(geometry.use), frames_(MOST_MOVES), now_(frames_.data()) {}

    ReversiPosition(const ReversiPosition&) = delete;

    void set_up(const uint8_t* stones, int to_move) {
        now_ = frames_.data();
        *now_ = Frame();
        for (int cell = 0; cell < N * N; cell++) {
            if (!stones[cell]) continue;
            now_->discs[stones[cell] - 1] |= Rules::bit(cell);
            change(cell, stones[cell]);
        }
        side = to_move;
    }

    // ---- the core

    // Play a legal cell, or PASS.
    void play(int cell) {
        now_[1] = now_[0];
        now_++;
        if (cell != PASS) {
            Bits &own = now_->discs[side], &other = now_->discs[1 - side];
            const Bits flipped = Rules::flips(own, other, cell);
            own ^= flipped | Rules::bit(cell);
            other ^= flipped;
            change(cell, side == BLACK ? 1 : 2);
            Rules::each(flipped, [this](int place) { change(place, side == BLACK ? -1 : 1); });
            now_->looked[0] = now_->looked[1] = false;
        }
        side = 1 - side;
    }

    void undo() {
        now_--;
        side = 1 - side;
    }

    int played() const { return int(now_ - frames_.data()); }

    void undo_to(int moves) {
        while (played() > moves) undo();
    }

    Bits discs(int colour) const { return now_->discs[colour]; }

    Bits legal_cells(int colour) {
        if (!now_->looked[colour]) {
            now_->looked[colour] = true;
            now_->legal[colour] = Rules::legal(discs(colour), discs(1 - colour));
        }
        return now_->legal[colour];
    }

    Key table_key() const { return {discs(BLACK), discs(WHITE), uint64_t(side)}; }

    bool decided() { return !legal_cells(side) && !legal_cells(1 - side); }

    // The value of a finished game for the side to move.
    int outcome() const { return final_value(Rules::count(discs(side)) - Rules::count(discs(1 - side))); }

    // Write the legal cells, best first; only PASS if there are none; nothing if the game is over.
    void moves(int depth, MoveList& ordered) {
        ordered.size = 0;
        int64_t ranks[N * N];
        const bool by_value = depth >= parameters.valued_depth;
        const bool by_replies = by_value || depth >= parameters.ordered_depth;
        const Bits own = discs(side), other = discs(1 - side);
        Rules::each(legal_cells(side), [&](int cell) {
            int64_t rank = parameters.rank[cell];
            if (by_replies) {
                const Bits flipped = Rules::flips(own, other, cell);
                const Bits replies = Rules::legal(other ^ flipped, own | flipped | Rules::bit(cell));
                rank -= parameters.reply_rank * Rules::count(replies);
            }
            if (by_value) {
                play(cell);
                rank = rank * UNIT - parameters.value_rank * evaluate(0, 0);
                undo();
            }
            int at = ordered.size++;
            for (; at && ranks[at - 1] < rank; at--) {
                ranks[at] = ranks[at - 1];
                ordered.cells[at] = ordered.cells[at - 1];
            }
            ranks[at] = rank;
            ordered.cells[at] = int16_t(cell);
        });
        if (!ordered.size && legal_cells(1 - side)) ordered.add(PASS);
    }

    // ---- evaluation

    int evaluate(int64_t, int64_t) {
        const int many = Rules::count(discs(0) | discs(1));
        const int16_t* values = geometry.values.data() + parameters.stages[many] * geometry.contents;
        int value = 0;
        for (int list = 0; list < geometry.lists; list++) value += values[geometry.offset[list] + now_->contents[list]];
        const int more = Rules::count(legal_cells(side)) - Rules::count(legal_cells(1 - side));
        return (side == BLACK ? value : -value) + int(parameters.turn[many] + parameters.mobility[many] * more);
    }

    int quick_value() { return evaluate(0, 0); }

    // ---- tactics

    bool forced() { return !legal_cells(side); }

    bool quiet() {
        const int64_t fewest = std::min(Rules::count(discs(0)), Rules::count(discs(1)));
        return !forced() && fewest > parameters.few_discs;
    }

    int plies_left() const { return N * N - Rules::count(discs(0) | discs(1)); }
    int forced_win(int, Deadline&) { return 0; }
    MoveList winning_line(Deadline&) { return {}; }
    void root_moves(MoveList& moves_, Deadline&) { moves(UNLIMITED, moves_); }
    void defences(const MoveList&, Deadline&, MoveList& more) { more.size = 0; }

    // Python's round(): to the nearest whole number, halves to the even one.
    int64_t probcut_margin() const {
        const int many = Rules::count(discs(0) | discs(1));
        return std::llrint(parameters.probcut_margin * parameters.deviation[parameters.stages[many]]);
    }

private:
    static constexpr int MOST_MOVES = 2 * N * N + 2;        // passes included

    // The board after each move.
    struct Frame {
        Bits discs[2] = {0, 0}, legal[2] = {0, 0};          // legal: of each colour, if `looked`
        bool looked[2] = {false, false};
        typename ReversiGeometry<N>::Contents contents[ReversiGeometry<N>::MOST_LISTS] = {};
    };

    // Add `by` to the digit of a cell in all lists that the cell is on.
    void change(int cell, int by) {
        const auto& powers = geometry.powers[cell];
        for (int list = 0; list < geometry.MOST_LISTS; list++) now_->contents[list] += by * powers[list];
    }

    std::vector<Frame> frames_;
    Frame* now_;                                            // the current frame
};

}  // namespace tengen
