// Forced wins by fours alone: mirrors FourSearch of vcf.py.
//
// Where Python raises an exception, a function here returns a Found below 0. Every level returns this value at once
// without undoing its stones. The caller that handles the value restores the board.
#pragma once

#include "board.h"
#include "clock.h"

namespace tengen {

constexpr size_t MOST_KEPT = 50000;     // positions stored per attacking side; beyond it all are dropped

struct ThreatResult {
    MoveList line;                      // empty if no win was found
    int64_t nodes = 0;
    bool complete = true;
};

// The length of a winning line; 0: none; below 0: why the search has ended.
using Found = int;
constexpr Found BUDGET_USED_UP = -1, TIME_UP = -2;

// A move of df-pn (with the replies to fours among its cells) and the key of the position after it.
struct Child {
    uint8_t size, cells[7];
    uint64_t key;
};

struct Numbers {
    int32_t phi, delta;
    bool operator==(Numbers other) const { return phi == other.phi && delta == other.delta; }
};

struct Part {
    uint32_t first, size;               // a range of a vector
};

// Stored results for one attacking side, by position key.
struct AttackMemory {
    FlatSet no_vcf[2];                  // positions without a VCF: without and with `in_line`
    FlatMap<Part> won;                  // the VCF of leaves that have one: part of `lines`
    FlatMap<Numbers> numbers;
    FlatMap<Part> children;             // part of `moves`
    std::vector<int16_t> lines;
    std::vector<Child> moves;

    size_t positions() const { return no_vcf[0].size() + no_vcf[1].size() + numbers.size(); }

    void clear() {
        for (FlatSet& set : no_vcf) set.clear();
        won.clear();
        numbers.clear();
        children.clear();
        lines.clear();
        moves.clear();
    }
};

class FourSearch {
public:
    explicit FourSearch(KInARowBoard& board) : board_(board), shape_(board.geometry) {}

    void forget() {
        for (AttackMemory& memory : memories_) memory.clear();
    }

    ThreatResult vcf(int64_t budget, Deadline* deadline, bool in_line = false) {
        if (memories_[board_.side].no_vcf[in_line].has(board_.key)) return {};
        return run([this] { return vcf_from(shape_.all, 0); }, in_line, budget, deadline);
    }

protected:
    template <class Search>
    ThreatResult run(Search search, bool in_line, int64_t budget, Deadline* deadline) {
        const int played = board_.played();
        AttackMemory& memory = memories_[board_.side];
        if (memory.positions() > MOST_KEPT) memory.clear();
        memory_ = &memory;
        in_line_ = in_line;
        nodes_ = 0;
        budget_ = budget;
        deadline_ = deadline;
        ThreatResult result;
        const Found found = search();
        if (found < 0) {
            board_.undo_to(played);
            result.complete = false;
        } else {
            for (int i = 0; i < found; i++) result.line.add(line_[i]);
        }
        if (deadline) deadline->spent += nodes_;
        result.nodes = nodes_;
        return result;
    }

    // Count a node. Returns 0, or why the search must end.
    Found count() {
        if (++nodes_ > budget_) return BUDGET_USED_UP;
        if (deadline_ && !(nodes_ & CHECK_MASK) && deadline_->reached(0)) return TIME_UP;
        return 0;
    }

    // Search a VCF of this position; write it to line_ from `at` on. With `in_line`, its first four is in the zone.
    Found vcf_from(const Mask& zone, int at) {
        FlatSet& no_vcf = memory_->no_vcf[in_line_];
        if (no_vcf.has(board_.key)) return 0;
        const int own = board_.side, other = 1 - own;
        const Mask five = board_.mask(own, FIVE);
        if (five.any()) {
            line_[at] = five.highest();
            return at + 1;
        }
        Mask fours = board_.mask(own, FOUR), better;
        if (!fours.any()) {
            no_vcf.add(board_.key);
            return 0;
        }
        const Mask stop = board_.mask(other, FIVE);
        if (stop.any()) {                           // the opponent threatens a five: the four must take its cell
            if (!stop.several()) better = fours & stop;
            fours = Mask();
        } else {
            const Mask wins = board_.mask(own, OPEN_FOUR) | board_.crossing(own, FOUR);
            if (wins.any()) return finish(wins.highest(), at);
            better = fours & board_.mask(own, THREE);
            if (in_line_) {
                better = zone & (better | with_two_more((fours & zone).without(better), fours));
                fours = Mask();
            }
        }
        for (const Mask& group : {better, fours.without(better)}) {
            int cell;
            for (Cells cells(group); cells.next(cell);) {
                if (Found ended = count()) return ended;
                board_.play(cell);
                const Mask replies = fives();
                if (replies.several()) {            // two cells of five: only after a `stop`, else `wins` has this cell
                    board_.undo();
                    return finish(cell, at);
                }
                const int reply = replies.highest();
                board_.play(reply);
                const Found found = vcf_from(shape_.in_line[cell], at + 2);
                if (found < 0) return found;
                board_.undo();
                board_.undo();
                if (found) {
                    line_[at] = cell;
                    line_[at + 1] = reply;
                    return found;
                }
            }
        }
        no_vcf.add(board_.key);
        return 0;
    }

    // The `candidates` with two more FOUR cells in line: one may become the reply, the other the next four.
    Mask with_two_more(const Mask& candidates, const Mask& fours) const {
        Mask found;
        int cell;
        for (Cells cells(candidates); cells.next(cell);) {
            if ((fours & shape_.in_line[cell]).without(Mask::of(cell)).several()) found.flip(cell);
        }
        return found;
    }

    // The cells where the side that has just moved could make a five.
    Mask fives() const { return board_.mask(1 - board_.side, FIVE); }

    // Write the line of a stone that threatens two fives: the stone, a reply, the five. Returns its end.
    Found finish(int cell, int at) {
        board_.play(cell);
        const Mask threatened = fives();
        board_.undo();
        line_[at] = cell;
        line_[at + 1] = threatened.lowest();
        line_[at + 2] = threatened.highest();
        return at + 3;
    }

    KInARowBoard& board_;
    KInARowGeometry& shape_;
    AttackMemory memories_[2];
    AttackMemory* memory_ = memories_;
    bool in_line_ = false;
    int64_t nodes_ = 0, budget_ = 0;
    Deadline* deadline_ = nullptr;
    int line_[MOST_CELLS + 8];
};

}  // namespace tengen
