// The value of a quiet position without search: mirrors LinesEvaluator of evaluation.py and NetworkEvaluator of
// network.py, their lazy bounds included.
#pragma once

#include "board.h"

namespace tengen {

// The results of KInARowPosition._scan(): the masks of the mover and of the opponent, and the conclusions from them.
struct Judgement {
    Mask own[THREE + 1], other[THREE + 1];
    Mask forced;                            // the only candidates; empty: no restriction
    Mask answers;                           // the forced cells that answer an open four or two fours
    bool decided = false;
    int outcome = 0;                        // if decided
};

class KInARowEvaluator {
public:
    explicit KInARowEvaluator(KInARowBoard& board) : board_(board), use_(board.geometry.use) {}

    int quick() const { return board_.lines_value(); }

    // The value in the mover's view. Outside (alpha, beta) the result may be a bound on the same side of the window.
    int value(const Judgement& judged, int64_t alpha, int64_t beta) const {
        int64_t value = board_.lines_value();
        if (value - use_.below >= beta) return int(value - use_.below);
        if (value + use_.above <= alpha) return int(value + use_.above);
        const int own = (judged.own[FOUR] & judged.own[OPEN_THREE]).count();
        const int other = (judged.other[FOUR] & judged.other[OPEN_THREE]).count();
        if (use_.network) return of_network(value, judged.other[OPEN_FOUR].any(), own, other);
        const auto& [turn, threatened, four_three, best] = use_.board;
        value += turn[0] + threatened[0] * judged.other[OPEN_FOUR].any();
        value += four_three[0] * own + four_three[1] * other;
        if (value + use_.least_best >= beta) return int(value + use_.least_best);
        int scores[2];
        board_.best_scores(scores);
        return int(value + best[0] * scores[board_.side] + best[1] * scores[1 - board_.side]);
    }

    // The initial proof number, at least 1, of a new df-pn leaf.
    int effort(bool mover_attacks) const {
        if (!use_.effort_from_value) return 1;
        const int64_t value = board_.lines_value();
        const int64_t missing = use_.effort_at - (mover_attacks ? value : -value);
        return int(std::min(std::max(missing / use_.effort_step, int64_t(1)), use_.most_effort));
    }

private:
    int of_network(int64_t lines, bool threatened, int own, int other) const {
        const Network& network = board_.geometry.network;
        int64_t pools[2][KINDS];
        network.pools(board_.potentials(), board_.geometry.cells, pools);
        return int(network.value(pools[board_.side], pools[1 - board_.side], int(lines), threatened, own, other));
    }

    KInARowBoard& board_;
    const KInARowParameters& use_;
};

}  // namespace tengen
