// The C functions of k in a row that submission/native/k_in_a_row.py calls. A handle is a pointer made by a `_new`.
//
// Cells, sides and values are ints; NO_OUTCOME: the game is not over. Only Python's checks guard against wrong arguments.
#include <climits>
#include <memory>

#include "position.h"
#include "search_api.h"

using namespace tengen;

namespace {

constexpr int NO_OUTCOME = INT_MIN;

struct Game {
    KInARowGeometry geometry;
    KInARowPosition position;

    Game(int rows, int cols, int k, const uint64_t* keys, const KInARowParameters& use, const OrderWeights& order,
         const Network& network)
        : geometry(rows, cols, k, keys, use, order, network), position(geometry) {}
};

OrderWeights read_order(const char* text) {
    OrderWeights order;
    for (Text rows(text); !rows.ended();) {
        for (int& weight : order[rows.word()]) weight = int(rows.number());
    }
    return order;
}

// Run a threat search with a limit of seconds, infinite for none, and write its result.
template <class Threats>
int limited(double seconds, Threats search, int32_t* line, int64_t* nodes, int32_t* complete) {
    static const std::atomic<int32_t> never{0};
    Deadline deadline(seconds, NO_LIMIT, never);
    const ThreatResult result = search(&deadline);
    std::copy(result.line.cells, result.line.cells + result.line.size, line);
    *nodes = result.nodes;
    *complete = result.complete;
    return result.line.size;
}

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

Game* k_in_a_row_new(int rows, int cols, int k, const uint64_t* keys, const KInARowParameters* use, const char* order,
                     const char* network) {
    return new Game(rows, cols, k, keys, *use, read_order(order), use->network ? Network(network) : Network());
}

void k_in_a_row_free(Game* game) { delete game; }

void k_in_a_row_set_up(Game* game, const uint8_t* stones, int side) { game->position.set_up(stones, side); }

// False if the cell is not free.
int k_in_a_row_play(Game* game, int cell) {
    if (cell < 0 || cell >= game->geometry.cells || game->position.occupied.has(cell)) return false;
    game->position.play(cell);
    return true;
}

void k_in_a_row_undo(Game* game) { game->position.undo(); }
void k_in_a_row_forget(Game* game) { game->position.threats.forget(); }

uint64_t k_in_a_row_key(Game* game) { return game->position.key; }
int k_in_a_row_side(Game* game) { return game->position.side; }
int k_in_a_row_outcome(Game* game) { return game->position.decided() ? game->position.outcome() : NO_OUTCOME; }
int k_in_a_row_forced(Game* game) { return game->position.forced(); }
int k_in_a_row_quiet(Game* game) { return game->position.quiet(); }
int k_in_a_row_plies_left(Game* game) { return game->position.plies_left(); }
int k_in_a_row_played(Game* game) { return game->position.played(); }
int k_in_a_row_evaluate(Game* game, int64_t alpha, int64_t beta) { return game->position.evaluate(alpha, beta); }

// Count evaluations from 0 again. `numbers`, ascending: the evaluations whose positions are recorded.
void k_in_a_row_want_leaves(Game* game, const int64_t* numbers, int many) { game->position.want_leaves(numbers, many); }
int64_t k_in_a_row_evaluations(Game* game) { return game->position.evaluations(); }

// Write the recorded leaves: for each, the number of its moves, then the moves. Returns how many numbers are written.
int k_in_a_row_leaves(Game* game, int32_t* out) {
    int32_t* end = out;
    for (const std::vector<int>& leaf : game->position.leaves()) {
        *end++ = int32_t(leaf.size());
        end = std::copy(leaf.begin(), leaf.end(), end);
    }
    return int(end - out);
}

int k_in_a_row_moves(Game* game, int depth, int32_t* out) {
    MoveList moves;
    game->position.moves(depth, moves);
    std::copy(moves.cells, moves.cells + moves.size, out);
    return moves.size;
}

int k_in_a_row_vcf(Game* game, double seconds, int64_t budget, int in_line, int32_t* line, int64_t* nodes,
                   int32_t* complete) {
    auto search = [&](Deadline* deadline) { return game->position.threats.vcf(budget, deadline, in_line); };
    return limited(seconds, search, line, nodes, complete);
}

int k_in_a_row_vct(Game* game, double seconds, int64_t budget, int64_t most_effort, int32_t* line, int64_t* nodes,
                   int32_t* complete) {
    auto search = [&](Deadline* deadline) { return game->position.threats.vct(budget, deadline, most_effort); };
    return limited(seconds, search, line, nodes, complete);
}

int k_in_a_row_opponent_vct(Game* game, double seconds, int64_t budget, int32_t* line, int64_t* nodes,
                            int32_t* complete) {
    auto search = [&](Deadline* deadline) { return game->position.threats.opponent_vct(budget, deadline); };
    return limited(seconds, search, line, nodes, complete);
}

Search<KInARowPosition>* k_in_a_row_search_new() { return new Search<KInARowPosition>(); }
void k_in_a_row_search_free(Search<KInARowPosition>* search) { delete search; }

int64_t k_in_a_row_search_think(Search<KInARowPosition>* search, Game* game, const Request* request) {
    return think(*search, game->position, *request);
}

}  // extern "C"
#pragma GCC visibility pop
