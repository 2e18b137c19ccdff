// The C functions of Reversi that submission/native/reversi.py calls; see k_in_a_row_api.cpp.
// Each board size is a class of its own; a handle points to an object of such a class.
#include <climits>

#include "reversi_search.h"
#include "search_api.h"

using namespace tengen;

namespace {

constexpr int NO_OUTCOME = INT_MIN;

// Base class of the positions of all sizes.
struct ReversiGame {
    virtual ~ReversiGame() = default;
    virtual void set_up(const uint8_t* stones, int side) = 0;
    virtual bool play(int cell) = 0;
    virtual void undo() = 0;
    virtual int side() = 0;
    virtual int played() = 0;
    virtual void discs(int colour, uint64_t* out) = 0;
    virtual void legal(int colour, uint64_t* out) = 0;
    virtual int outcome() = 0;
    virtual int forced() = 0;
    virtual int quiet() = 0;
    virtual int plies_left() = 0;
    virtual int evaluate() = 0;
    virtual int moves(int depth, int32_t* out) = 0;
};

// Base class of the searches of all sizes.
struct ReversiThinker {
    virtual ~ReversiThinker() = default;
    virtual int64_t think(ReversiGame& game, const Request& request) = 0;
};

template <class Bits>
void copy(Bits mask, uint64_t* out) {
    out[0] = uint64_t(mask);
    if constexpr (sizeof(Bits) > 8) {
        out[1] = uint64_t(mask >> 64);
    } else {
        out[1] = 0;
    }
}

template <int N>
struct Sized : ReversiGame {
    ReversiGeometry<N> geometry;
    ReversiPosition<N> position;

    template <class... Model>
    explicit Sized(Model... model) : geometry(model...), position(geometry) {}

    void set_up(const uint8_t* stones, int side) override { position.set_up(stones, side); }
    bool play(int cell) override {
        MoveList legal;
        position.moves(0, legal);
        if (!legal.has(cell)) return false;
        position.play(cell);
        return true;
    }
    void undo() override { position.undo(); }
    int side() override { return position.side; }
    int played() override { return position.played(); }
    void discs(int colour, uint64_t* out) override { copy(position.discs(colour), out); }
    void legal(int colour, uint64_t* out) override { copy(position.legal_cells(colour), out); }
    int outcome() override { return position.decided() ? position.outcome() : NO_OUTCOME; }
    int forced() override { return position.forced(); }
    int quiet() override { return position.quiet(); }
    int plies_left() override { return position.plies_left(); }
    int evaluate() override { return position.evaluate(0, 0); }
    int moves(int depth, int32_t* out) override {
        MoveList found;
        position.moves(depth, found);
        std::copy(found.cells, found.cells + found.size, out);
        return found.size;
    }
};

template <int N>
struct SizedThinker : ReversiThinker {
    ReversiSearch<N> search;

    int64_t think(ReversiGame& game, const Request& request) override {
        return tengen::think(search, static_cast<Sized<N>&>(game).position, request);
    }
};

template <template <int> class Made, class Base, class... Arguments>
Base* of_size(int n, Arguments... arguments) {
    switch (n) {
        case 4: return new Made<4>(arguments...);
        case 6: return new Made<6>(arguments...);
        case 8: return new Made<8>(arguments...);
        case 10: return new Made<10>(arguments...);
        default: return nullptr;
    }
}

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

// Returns null for a size that is not compiled. cells: each list's cells, then -1; values: by stage and content.
ReversiGame* reversi_new(int n, const ReversiParameters* use, int lists, const int32_t* cells, const int64_t* offsets,
                         int64_t contents, const int16_t* values) {
    return of_size<Sized, ReversiGame>(n, *use, lists, cells, offsets, contents, values);
}

void reversi_free(ReversiGame* game) { delete game; }

void reversi_set_up(ReversiGame* game, const uint8_t* stones, int side) { game->set_up(stones, side); }
int reversi_play(ReversiGame* game, int cell) { return game->play(cell); }     // false if the cell is not legal
void reversi_undo(ReversiGame* game) { game->undo(); }
int reversi_side(ReversiGame* game) { return game->side(); }
int reversi_played(ReversiGame* game) { return game->played(); }
void reversi_discs(ReversiGame* game, int colour, uint64_t* out) { game->discs(colour, out); }
void reversi_legal(ReversiGame* game, int colour, uint64_t* out) { game->legal(colour, out); }
int reversi_outcome(ReversiGame* game) { return game->outcome(); }
int reversi_forced(ReversiGame* game) { return game->forced(); }
int reversi_quiet(ReversiGame* game) { return game->quiet(); }
int reversi_plies_left(ReversiGame* game) { return game->plies_left(); }
int reversi_evaluate(ReversiGame* game) { return game->evaluate(); }
int reversi_moves(ReversiGame* game, int depth, int32_t* out) { return game->moves(depth, out); }

ReversiThinker* reversi_search_new(int n) { return of_size<SizedThinker, ReversiThinker>(n); }
void reversi_search_free(ReversiThinker* search) { delete search; }

int64_t reversi_search_think(ReversiThinker* search, ReversiGame* game, const Request* request) {
    return search->think(*game, *request);
}

}  // extern "C"
#pragma GCC visibility pop
