// Forced wins by fours and open threes, by df-pn: mirrors ThreatSearch of threat_search.py.
#pragma once

#include "evaluation.h"
#include "vcf.h"

namespace tengen {

constexpr int64_t LEAF_NODES = 60;      // budget of the VCF at a df-pn leaf, in nodes
constexpr int MOST_FOURS = 3;           // most fours before the open three in one df-pn move
constexpr Numbers WON{0, UNLIMITED}, LOST{UNLIMITED, 0};    // of a settled position, for the side to move

class ThreatSearch : public FourSearch {
public:
    ThreatSearch(KInARowBoard& board, const KInARowEvaluator& evaluator) : FourSearch(board), evaluator_(evaluator) {}

    ThreatResult vct(int64_t budget, Deadline* deadline, int64_t most_effort = UNLIMITED) {
        return run([&] { return vct_line(most_effort); }, true, budget, deadline);
    }

    // The VCT that the opponent would have if the opponent were to move.
    ThreatResult opponent_vct(int64_t budget, Deadline* deadline) {
        board_.switch_side();
        const ThreatResult result = vct(budget, deadline);
        board_.switch_side();
        return result;
    }

private:
    Found vct_line(int64_t most_effort) {
        Found found = proved_line();
        if (!found) found = leaf();
        if (found) return found;
        if (Found ended = prove(true, most_effort, UNLIMITED)) return ended;
        found = proved_line();
        const bool refuted = *memory_->numbers.find(board_.key) == LOST;
        if (!found && !refuted) return BUDGET_USED_UP;      // given up at most_effort
        return found;
    }

    // df-pn from this position, until phi or delta reaches its limit. Returns 0, or why the search must end.
    Found prove(bool attacking, int64_t phi_limit, int64_t delta_limit) {
        FlatMap<Numbers>& numbers = memory_->numbers;
        const uint64_t key = board_.key;
        const Part* stored = memory_->children.find(key);
        if (!stored) {
            if (Found ended = count()) return ended;
            std::vector<Child> moves;
            if (Found ended = attacking ? attacks(moves, 0, shape_.all, {}) : defences(moves)) return ended;
            Part& part = memory_->children.put(key);
            part = {uint32_t(memory_->moves.size()), uint32_t(moves.size())};
            memory_->moves.insert(memory_->moves.end(), moves.begin(), moves.end());
            stored = &part;
        }
        const Part children = *stored;
        while (true) {
            int64_t phi = UNLIMITED, second = UNLIMITED, delta = 0, best_phi = 0;
            Child best{};
            for (uint32_t i = 0; i < children.size; i++) {
                const Child& child = memory_->moves[children.first + i];
                const Numbers after = *numbers.find(child.key);
                delta += after.phi;
                if (after.delta < phi) {
                    second = phi;
                    phi = after.delta;
                    best = child;
                    best_phi = after.phi;
                } else if (after.delta < second) {
                    second = after.delta;
                }
            }
            if (!phi || delta > UNLIMITED) delta = UNLIMITED;
            numbers.put(key) = {int32_t(phi), int32_t(delta)};
            if (phi >= phi_limit || delta >= delta_limit) return 0;
            for (int i = 0; i < best.size; i++) board_.play(best.cells[i]);
            if (Found ended = prove(!attacking, delta_limit - delta + best_phi, std::min(phi_limit, second + 1))) {
                return ended;
            }
            for (int i = 0; i < best.size; i++) board_.undo();
        }
    }

    // Add the attacker's moves: open threes in the zone, also after fours. before: the fours and replies of this move.
    Found attacks(std::vector<Child>& children, int depth, const Mask& zone, const Child& before) {
        const int own = board_.side, other = 1 - own;
        const Mask stop = board_.mask(other, FIVE);
        Mask fours = board_.mask(own, FOUR) & zone;
        Mask threes = (board_.mask(own, OPEN_THREE) & zone).without(fours);
        if (stop.any()) {                           // the opponent threatens a five: stop it
            if (stop.several()) return 0;
            fours &= stop;
            threes = stop.without(fours);
        } else if (board_.mask(other, OPEN_FOUR).any()) {
            threes &= board_.mask(other, FOUR);     // other threes are slower than the opponent's open four
        }
        int cell;
        for (Cells cells(threes); cells.next(cell);) {
            if (Found ended = count()) return ended;
            board_.play(cell);
            Mask stops;
            if (replies(stops)) {
                children.push_back(with(before, cell, -1));
                if (!memory_->numbers.has(board_.key)) {
                    const int many = stops.count();
                    memory_->numbers.put(board_.key) = many ? Numbers{1, evaluator_.effort(false) * many} : LOST;
                }
            }
            board_.undo();
        }
        if (depth == MOST_FOURS) return 0;
        for (Cells cells(fours); cells.next(cell);) {
            if (Found ended = count()) return ended;
            board_.play(cell);
            const int reply = fives().highest();
            board_.play(reply);
            const Child four = with(before, cell, reply);
            if (Found ended = attacks(children, depth + 1, shape_.in_line[cell], four)) return ended;
            board_.undo();
            board_.undo();
        }
        return 0;
    }

    // Add the defender's replies; if a reply is known to refute the attack, only that reply.
    Found defences(std::vector<Child>& children) {
        FlatMap<Numbers>& numbers = memory_->numbers;
        Mask stops;
        replies(stops);
        int cell;
        for (Cells cells(stops); cells.next(cell);) {
            board_.play(cell);
            const uint64_t key = board_.key;
            if (!numbers.has(key)) {
                const Found found = leaf();
                if (found < 0) return found;
                if (!found) numbers.put(key) = {evaluator_.effort(true), 1};
            }
            board_.undo();
            children.push_back(with({}, cell, -1));
            children.back().key = key;
            if (*numbers.find(key) == LOST) {
                children.erase(children.begin(), children.end() - 1);
                return 0;
            }
        }
        return 0;
    }

    // Search a VCF at a df-pn leaf with LEAF_NODES nodes; write it to line_ from `at` on. A win is stored as proved.
    Found leaf(int at = 0) {
        const int played = board_.played();
        const int64_t budget = budget_;
        budget_ = std::min(budget, nodes_ + LEAF_NODES);
        Found found = vcf_from(shape_.all, at);
        budget_ = budget;
        if (found == BUDGET_USED_UP) {              // if the whole budget is used up, the next count() says so
            board_.undo_to(played);
            found = 0;
        }
        if (found > 0) {
            std::vector<int16_t>& lines = memory_->lines;
            memory_->won.put(board_.key) = {uint32_t(lines.size()), uint32_t(found - at)};
            lines.insert(lines.end(), line_ + at, line_ + found);
            memory_->numbers.put(board_.key) = WON;
        }
        return found;
    }

    // Write the cells that may stop the opponent's threat. False if there is no threat or the mover can make a five.
    bool replies(Mask& stops) const {
        const int own = board_.side, other = 1 - own;
        if (board_.mask(own, FIVE).any()) return false;
        const Mask five = board_.mask(other, FIVE);
        if (five.any()) {
            stops = five.several() ? Mask() : five;
            return true;
        }
        if (board_.mask(other, OPEN_FOUR).any()) {
            stops = board_.open_four_answers();
        } else {
            if (!board_.crossing(other, FOUR).any()) return false;
            stops = board_.mask(other, FOUR);
        }
        stops |= board_.mask(own, FOUR);
        return true;
    }

    // Write the line of a proved win to line_. Returns its length; 0 if no win is proved.
    Found proved_line() {
        AttackMemory& memory = *memory_;
        const Numbers* known = memory.numbers.find(board_.key);
        if (!known || !(*known == WON)) return 0;
        const int played = board_.played();
        int at = 0;
        while (!memory.won.has(board_.key)) {
            const Part children = *memory.children.find(board_.key);
            uint32_t i = children.first;
            while (memory.numbers.find(memory.moves[i].key)->delta) i++;
            const Child move = memory.moves[i];
            for (int j = 0; j < move.size; j++) {
                board_.play(move.cells[j]);
                line_[at++] = move.cells[j];
            }
            const Part* answers = memory.children.find(board_.key);
            const bool answered = answers && answers->size;
            const int reply = answered ? memory.moves[answers->first].cells[0] : any_reply();
            board_.play(reply);
            line_[at++] = reply;
            if (!answered) {
                const Found found = leaf(at);
                if (found < 0) return found;
            }
        }
        const Part won = *memory.won.find(board_.key);
        for (uint32_t i = 0; i < won.size; i++) line_[at++] = memory.lines[won.first + i];
        board_.undo_to(played);
        return at;
    }

    // A reply in a lost position: the cell where the opponent would make a five or an open four.
    int any_reply() const {
        const int other = 1 - board_.side;
        const Mask five = board_.mask(other, FIVE);
        return (five.any() ? five : board_.mask(other, OPEN_FOUR)).highest();
    }

    // The move `before`, continued by a cell and a reply; reply below 0: none.
    Child with(Child before, int cell, int reply) const {
        before.cells[before.size++] = uint8_t(cell);
        if (reply >= 0) before.cells[before.size++] = uint8_t(reply);
        before.key = board_.key;
        return before;
    }

    const KInARowEvaluator& evaluator_;
};

}  // namespace tengen
