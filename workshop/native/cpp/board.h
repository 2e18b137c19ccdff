// The board with play and undo: mirrors KInARowBoard of board.py.
//
// The masks are kept per direction, colour and pattern, in a frame for each stone played. play() copies the frame and
// flips the few bits that a stone changes; undo() goes back to the frame before. Ordering scores and potentials are
// updated when they are read: for each line whose node has changed since the last update.
#pragma once

#include <cstring>

#include "geometry.h"

namespace tengen {

constexpr int LOW = 16;                 // lower bound of best_scores()

class KInARowBoard {
public:
    KInARowGeometry& geometry;
    int side = BLACK;
    uint64_t key = 0;
    Mask occupied;

    explicit KInARowBoard(KInARowGeometry& geometry)
        : geometry(geometry), frames_(geometry.cells + 1), history_(geometry.cells + 1) {
        clear();
    }

    KInARowBoard(const KInARowBoard&) = delete;

    void clear() {
        if (geometry.table.size() > MOST_NODES) geometry.forget();
        std::copy(geometry.start, geometry.start + MOST_LINES, nodes_);
        totals_ = frames_.data();
        *totals_ = Frame();
        std::memset(scores_, 0, sizeof scores_);
        std::memset(potentials_, 0, sizeof potentials_);
        std::memset(scored_, 0, sizeof scored_);        // the scores include no line yet: every line has the node DEAD
        for (int number = 0; number < geometry.lines; number++) {
            flip(number, direction_of(number), geometry.table[DEAD].packed, geometry.table[nodes_[number]].packed);
        }
        side = BLACK;
        key = 0;
        value_[BLACK] = value_[WHITE] = 0;
        occupied = Mask();
        played_ = 0;
    }

    // stones: 0 free, 1 black, 2 white, row-major.
    void set_up(const uint8_t* stones, int to_move) {
        clear();
        for (int colour : {BLACK, WHITE}) {
            for (int cell = 0; cell < geometry.cells; cell++) {
                if (stones[cell] != colour + 1) continue;
                side = colour;
                play(cell);
            }
        }
        side = to_move;
        key = to_move == WHITE ? geometry.turn_key : 0;
        for (int cell = 0; cell < geometry.cells; cell++) {
            if (stones[cell]) key ^= geometry.keys[stones[cell] - 1][cell];
        }
        played_ = 0;
        frames_[0] = *totals_;
        totals_ = frames_.data();
    }

    // ---- moves

    void play(int cell) {
        Played& now = history_[played_++];
        now.cell = cell;
        now.key = key;
        now.value[0] = value_[0];
        now.value[1] = value_[1];
        totals_[1] = totals_[0];
        totals_++;
        const int base = side == BLACK ? 0 : LONGEST_LINE;
        for (int direction = 0; direction < DIRECTIONS; direction++) {      // all look-ups first: they may be slow
            const uint32_t before = nodes_[geometry.line_of[cell][direction]];
            now.before[direction] = before;
            now.after[direction] = geometry.table.after(before, base + geometry.index_of[cell][direction]);
        }
        for (int direction = 0; direction < DIRECTIONS; direction++) {
            const int number = geometry.line_of[cell][direction];
            const LineNode& was = geometry.table[now.before[direction]];
            const LineNode& is = geometry.table[now.after[direction]];
            nodes_[number] = now.after[direction];
            for (int i : {0, 1}) value_[i] += is.value[i] - was.value[i];
            flip(number, direction, was.packed, is.packed);
        }
        occupied.flip(cell);
        key ^= geometry.keys[side][cell] ^ geometry.turn_key;
        side = 1 - side;
    }

    void undo() {
        const Played& then = history_[--played_];
        for (int direction = 0; direction < DIRECTIONS; direction++) {
            nodes_[geometry.line_of[then.cell][direction]] = then.before[direction];
        }
        totals_--;
        side = 1 - side;
        key = then.key;
        value_[0] = then.value[0];
        value_[1] = then.value[1];
        occupied.flip(then.cell);
    }

    // Stones played since the set-up.
    int played() const { return played_; }

    // The stones played since the set-up.
    std::vector<int> cells_played() const {
        std::vector<int> cells;
        for (int i = 0; i < played_; i++) cells.push_back(history_[i].cell);
        return cells;
    }

    void undo_to(int stones) {
        while (played_ > stones) undo();
    }

    void switch_side() {
        side = 1 - side;
        key ^= geometry.turn_key;
    }

    // ---- what stands on the board

    // The cells of a pattern for a colour: the union of all directions.
    Mask mask(int colour, int pattern) const {
        return total(0, colour, pattern) | total(1, colour, pattern) | total(2, colour, pattern)
               | total(3, colour, pattern);
    }

    // The same, but only the cells where one stone makes the pattern in two directions.
    Mask crossing(int colour, int pattern) const {
        const Mask t0 = total(0, colour, pattern), t1 = total(1, colour, pattern);
        const Mask t2 = total(2, colour, pattern), t3 = total(3, colour, pattern);
        return (t0 & t1) | (t2 & t3) | ((t0 | t1) & (t2 | t3));
    }

    const Mask& total(int direction, int colour, int pattern) const {
        return totals_->of[direction][CLASSES * colour + pattern];
    }

    // Cells where a stone of the mover removes all OPEN_FOUR cells of the opponent. The opponent must have one.
    Mask open_four_answers() const {
        Mask answers = geometry.all;
        for (int direction = 0; direction < DIRECTIONS; direction++) {
            if (total(direction, 1 - side, OPEN_FOUR).any()) answers &= total(direction, 1 - side, ANSWER);
        }
        return answers;
    }

    int lines_value() const { return value_[side]; }

    Mask near() const {
        Mask found;
        int cell;
        for (Cells stones(occupied); stones.next(cell);) found |= geometry.near[cell];
        return found;
    }

    // ---- ordering scores and potentials

    // The scores of all cells, for Black in the low byte, for White in the high one.
    const uint16_t* scores() {
        update();
        return scores_;
    }

    // The potentials of a kind, packed as the scores.
    const uint16_t* potentials(int kind) {
        update();
        return potentials_[kind];
    }

    int score(int cell) { return scores_[cell] >> 8 * side & 255; }     // valid after scores()

    // The highest ordering score of a cell for each colour; at least LOW.
    void best_scores(int best[2]) {
        const uint16_t* now = scores();
        int black = LOW, white = LOW;
        for (int cell = 0; cell < MOST_CELLS; cell++) {
            black = std::max(black, now[cell] & 255);
            white = std::max(white, now[cell] >> 8);
        }
        best[BLACK] = black;
        best[WHITE] = white;
    }

private:
    struct Played {
        int cell;
        uint32_t before[DIRECTIONS], after[DIRECTIONS];     // the nodes of the lines through the cell
        int32_t value[2];
        uint64_t key;
    };

    struct Frame {
        Mask of[DIRECTIONS][2 * CLASSES];
    };

    int direction_of(int number) const {
        const Line& line = geometry.line[number];
        int direction = 0;
        while (geometry.line_of[line.first][direction] != number) direction++;
        return direction;
    }

    // Flip the bits of the masks that differ between two contents of a line; before, after: their LineNode::packed.
    void flip(int number, int direction, const uint64_t* before, const uint64_t* after) {
        const uint8_t* cell_of = geometry.cells_of[number];
        for (int part = 0; part < PARTS; part++) {
            for (uint64_t changed = before[part] ^ after[part]; changed; changed &= changed - 1) {
                const int bit = __builtin_ctzll(changed), pattern = 4 * part + (bit >> 4);      // in Frame::of
                totals_->of[direction][pattern].flip(cell_of[bit & 15]);
            }
        }
    }

    // Bring scores and potentials up to date.
    void update() {
        for (int number = 0; number < geometry.lines; number++) {
            if (scored_[number] == nodes_[number]) continue;
            const LineNode &was = geometry.table[scored_[number]], &is = geometry.table[nodes_[number]];
            const int length = geometry.line[number].length;
            for (int i = 0; i < length; i++) {
                const int cell = geometry.cells_of[number][i];
                scores_[cell] = uint16_t(scores_[cell] + is.scores[i] - was.scores[i]);
                for (int kind = 0; kind < KINDS; kind++) {
                    uint16_t& potential = potentials_[kind][cell];
                    potential = uint16_t(potential + is.potentials[kind][i] - was.potentials[kind][i]);
                }
            }
            scored_[number] = nodes_[number];
        }
    }

    uint32_t nodes_[MOST_LINES], scored_[MOST_LINES];
    alignas(32) uint16_t scores_[MOST_CELLS], potentials_[KINDS][MOST_CELLS];
    std::vector<Frame> frames_;                             // by stones played
    Frame* totals_;                                         // the current frame
    int32_t value_[2];
    std::vector<Played> history_;
    int played_ = 0;
};

}  // namespace tengen
