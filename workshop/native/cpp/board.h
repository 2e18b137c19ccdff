// The board with play and undo: mirrors KInARowBoard of board.py.
//
// The masks are kept per direction, colour and pattern, in a frame for each stone played. play() copies the frame and
// flips the few bits that a stone changes; undo() goes back to the frame before. A frame also holds ordering scores and
// potentials. They are computed when they are read, from the nearest frame before that has them.
#pragma once

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
        totals_->scored = true;
        for (int number = 0; number < geometry.lines; number++) {
            const LineNode &was = geometry.table[DEAD], &is = geometry.table[nodes_[number]];
            flip(number, direction_of(number), was.packed, is.packed);
            add_scores(number, was, is);
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
        scores();
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
        totals_[1].of = totals_[0].of;
        totals_[1].scored = false;
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
        return scored().scores;
    }

    // The potentials of all cells: for each kind a byte of Black's and one of White's, as in the scores.
    const uint32_t* potentials() {
        return scored().potentials;
    }

    int score(int cell) { return totals_->scores[cell] >> 8 * side & 255; }     // valid after scores()

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
        std::array<std::array<Mask, 2 * CLASSES>, DIRECTIONS> of;
        bool scored = false;                                // whether the frame has its scores and potentials
        alignas(32) uint16_t scores[MOST_CELLS] = {};
        alignas(32) uint32_t potentials[MOST_CELLS] = {};
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

    // The current frame with its scores and potentials.
    const Frame& scored() {
        if (totals_->scored) return *totals_;
        const Frame* from = totals_ - 1;
        while (!from->scored) from--;
        std::copy(from->scores, from->scores + MOST_CELLS, totals_->scores);
        std::copy(from->potentials, from->potentials + MOST_CELLS, totals_->potentials);
        for (const Played* stone = &history_[from - frames_.data()]; stone != &history_[played_]; stone++) {
            for (int direction = 0; direction < DIRECTIONS; direction++) {
                add_scores(geometry.line_of[stone->cell][direction], geometry.table[stone->before[direction]],
                           geometry.table[stone->after[direction]]);
            }
        }
        totals_->scored = true;
        return *totals_;
    }

    // Add what the change of a line changes in the current frame's scores and potentials.
    void add_scores(int number, const LineNode& was, const LineNode& is) {
        const uint8_t* cell_of = geometry.cells_of[number];
        for (int i = 0; i < geometry.line[number].length; i++) {
            const int cell = cell_of[i];
            totals_->scores[cell] = uint16_t(totals_->scores[cell] + is.scores[i] - was.scores[i]);
            totals_->potentials[cell] += is.potentials[i] - was.potentials[i];
        }
    }

    uint32_t nodes_[MOST_LINES];
    std::vector<Frame> frames_;                             // by stones played
    Frame* totals_;                                         // the current frame
    int32_t value_[2];
    std::vector<Played> history_;
    int played_ = 0;
};

}  // namespace tengen
