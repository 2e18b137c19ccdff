// A k-in-a-row board for the search: decided results, forced replies and candidates.
//
// Mirrors KInARowPosition of position.py.
#pragma once

#include "searchable.h"
#include "threat_search.h"

namespace tengen {

constexpr int SMALL = 8;                    // cells with a lower ordering score are candidates only if needed

class KInARowPosition : public KInARowBoard {
public:
    using Key = NumberKey;

    const KInARowParameters& parameters;
    KInARowEvaluator evaluator;
    ThreatSearch threats;

    explicit KInARowPosition(KInARowGeometry& geometry)
        : KInARowBoard(geometry), parameters(geometry.use), evaluator(*this), threats(*this, evaluator) {}

    void set_up(const uint8_t* stones, int to_move) {
        KInARowBoard::set_up(stones, to_move);
        judged_ = false;
    }

    void play(int cell) {
        KInARowBoard::play(cell);
        judged_ = false;
    }

    void undo() {
        KInARowBoard::undo();
        judged_ = false;
    }

    void undo_to(int stones) {
        KInARowBoard::undo_to(stones);
        judged_ = false;
    }

    Key table_key() const { return key; }

    // ---- judgement

    bool decided() { return judgement().decided; }
    int outcome() { return judgement().outcome; }       // if decided
    bool forced() { return judgement().forced.count() == 1; }
    bool quiet() { return !judgement().forced.any(); }
    int plies_left() const { return geometry.cells - occupied.count(); }

    int evaluate(int64_t alpha, int64_t beta) {
        if (evaluations_++ == next_wanted_) keep_leaf();
        return evaluator.value(judgement(), alpha, beta);
    }

    int quick_value() const { return evaluator.quick(); }
    int64_t probcut_margin() const { return 0; }

    const Judgement& judgement() {
        if (!judged_) judge();
        return judgement_;
    }

    // ---- leaves for learning

    // Count evaluations from 0 again. `numbers`, ascending: the evaluations whose positions are recorded.
    void want_leaves(const int64_t* numbers, int many) {
        wanted_.assign(numbers, numbers + many);
        leaves_.clear();
        evaluations_ = 0;
        next_wanted_ = many ? wanted_[0] : -1;
    }

    int64_t evaluations() const { return evaluations_; }
    const std::vector<std::vector<int>>& leaves() const { return leaves_; }

    // ---- candidate moves

    // Candidate cells, best first.
    void moves(int depth, MoveList& ordered) {
        const Judgement& now = judgement();
        const bool few_fours = 0 < depth && depth <= parameters.vcf_depth;
        ordered.size = 0;
        if (now.forced.any()) {
            int cell;
            for (Cells cells(few_fours && now.answers.any() ? now.answers : now.forced); cells.next(cell);) {
                ordered.add(cell);
            }
            if (ordered.size > 1) sort_by_scores(ordered.cells, ordered.size, ordered.size);
            return;
        }
        if (!occupied.any()) return ordered.add(geometry.rows / 2 * geometry.cols + geometry.cols / 2);
        best(int(std::min(parameters.widths.at(depth), int64_t(geometry.cells))), ordered);
        if (few_fours || !parameters.fours_in_candidates) return;
        int cell;
        for (Cells fours(now.own[FOUR] | now.other[FOUR]); fours.next(cell);) {
            if (!ordered.has(cell)) ordered.add(cell);
        }
    }

    // Reorder the root candidates: moves after which the opponent's VCT finds a win go last.
    void root_moves(MoveList& moves, Deadline& deadline) {
        const int64_t nodes = deadline.at_most(parameters.hold_nodes, parameters.hold_share);
        if (!parameters.hold_nodes || !threats.opponent_vct(nodes, &deadline).line.size) return;
        MoveList held, lost;
        for (int i = 0; i < moves.size; i++) {
            (loses(moves.cells[i], nodes / parameters.hold_part, deadline) ? lost : held).add(moves.cells[i]);
        }
        moves = held;
        for (int i = 0; i < lost.size; i++) moves.add(lost.cells[i]);
    }

    // Write the cells of the opponent's VCT that are not in `moves`.
    void defences(const MoveList& moves, Deadline& deadline, MoveList& more) {
        more.size = 0;
        if (!parameters.defence_nodes || !quiet()) return;
        const MoveList line = threats.opponent_vct(parameters.defence_nodes, &deadline).line;
        for (int i = 0; i < line.size; i++) {
            if (!moves.has(line.cells[i])) more.add(line.cells[i]);
        }
    }

    // ---- wins by threats

    // The moves of a VCF or, without one, of a VCT; empty if none is found.
    MoveList winning_line(Deadline& deadline) {
        const int64_t nodes = deadline.at_most(parameters.root_nodes, parameters.root_share);
        const MoveList line = threats.vcf(nodes, &deadline).line;
        return line.size ? line : threats.vct(nodes, &deadline).line;
    }

    // The plies of a win by threats, or 0. Searched by VCF at depths up to vcf_depth, by VCT above.
    int forced_win(int depth, Deadline& deadline) {
        const Judgement& now = judgement();
        const Mask& free = now.forced.any() ? now.forced : geometry.all;
        if (depth > parameters.vcf_depth) {
            const int64_t nodes = parameters.vct_nodes.at(depth);
            if (!nodes || !((now.own[OPEN_THREE] | now.own[FOUR]) & free).any()) return 0;
            return threats.vct(nodes, &deadline, parameters.vct_effort).line.size;
        }
        const Mask fours = now.own[FOUR] & free;
        if (!fours.any() || (!(fours & now.own[THREE]).any() && fours.count() <= 2)) return 0;
        return threats.vcf(parameters.vcf_nodes, &deadline, true).line.size;
    }

private:
    void keep_leaf() {
        leaves_.push_back(cells_played());
        next_wanted_ = leaves_.size() < wanted_.size() ? wanted_[leaves_.size()] : -1;
    }

    // Set judgement_ by the first row that applies in the table of position.py.
    void judge() {
        judged_ = true;
        Judgement& now = judgement_;
        now.decided = false;
        now.answers = Mask();
        const int me = side, they = 1 - side;
        for (int pattern = FIVE; pattern <= THREE; pattern++) {
            now.own[pattern] = mask(me, pattern);
            now.other[pattern] = mask(they, pattern);
        }
        now.forced = now.own[FIVE];
        if (now.forced.any()) return decide(WIN - 1);
        now.forced = now.other[FIVE];
        if (now.forced.any()) {
            if (now.forced.several()) decide(2 - WIN);
            return;
        }
        now.forced = now.own[OPEN_FOUR] | crossing(me, FOUR);
        if (now.forced.any()) return decide(WIN - 3);
        if (!now.other[FOUR].any()) {
            now.forced = (now.own[FOUR] & now.own[OPEN_THREE]) | crossing(me, OPEN_THREE);
            if (now.forced.any()) {
                decide(WIN - 5);
            } else if (plies_left() == 0) {
                decide(0);
            }
        } else if (now.other[OPEN_FOUR].any()) {
            now.answers = open_four_answers();
            now.forced = now.answers | now.own[FOUR];
            if (!now.forced.any()) {
                now.forced = now.other[OPEN_FOUR];
                decide(4 - WIN);
            }
        } else if (crossing(they, FOUR).any()) {
            now.answers = now.other[FOUR];
            now.forced = now.answers | now.own[FOUR];
        }
    }

    void decide(int outcome) {
        judgement_.decided = true;
        judgement_.outcome = outcome;
    }

    // Write the `width` cells of highest ordering score; if too few have a score, cells near a stone follow.
    void best(int width, MoveList& ordered) {
        if (parameters.learnt_order) {
            uint16_t keys[MOST_CELLS];
            scores();
            int size = 0;
            for (int cell = 0; cell < geometry.cells; cell++) {
                keys[size] = sort_key(cell);
                size += score(cell) >= SMALL;
            }
            ordered.size = sort(keys, size, width, ordered.cells);
        }
        if (ordered.size >= width) return;
        const Mask free = geometry.all.without(occupied), close = near() & free;
        const int filled = ordered.size;
        int cell;
        for (Cells cells(close.any() ? close : free); cells.next(cell);) {
            if (!ordered.has(cell)) ordered.add(cell);
        }
        if (parameters.learnt_order) sort_by_scores(ordered.cells + filled, ordered.size - filled, width - filled);
        ordered.size = std::min(ordered.size, width);
    }

    // A key for sorting by descending score, then by ascending cell.
    uint16_t sort_key(int cell) { return uint16_t((255 - score(cell)) << 8 | cell); }

    // Write the cells of the `wanted` lowest keys, ascending. Returns how many are written.
    static int sort(uint16_t* keys, int size, int wanted, int16_t* cells) {
        wanted = std::min(size, wanted);
        if (wanted < size) std::nth_element(keys, keys + wanted, keys + size);
        std::sort(keys, keys + wanted);
        for (int i = 0; i < wanted; i++) cells[i] = keys[i] & 255;
        return wanted;
    }

    // Sort cells by descending score, then by ascending cell; only the first `wanted` are kept.
    void sort_by_scores(int16_t* cells, int size, int wanted) {
        scores();
        uint16_t keys[MOST_CELLS];
        for (int i = 0; i < size; i++) keys[i] = sort_key(cells[i]);
        sort(keys, size, wanted, cells);
    }

    // Whether the opponent wins after a move, by judge() or by VCT.
    bool loses(int cell, int64_t nodes, Deadline& deadline) {
        play(cell);
        const bool lost = decided() ? outcome() > 0 : threats.vct(nodes, &deadline).line.size > 0;
        undo();
        return lost;
    }

    bool judged_ = false;
    Judgement judgement_;
    int64_t evaluations_ = 0, next_wanted_ = -1;
    std::vector<int64_t> wanted_;
    std::vector<std::vector<int>> leaves_;
};

}  // namespace tengen
