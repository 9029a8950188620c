/// The objects that exist at a place of a program, the same on all ranks. The generator draws from them, and
/// the runner skips operations on missing objects, so that every part of a program is a program.
#pragma once

#include "operation.hpp"

#include <map>
#include <string>

namespace random_programs {

struct group_facts {};

struct mail_facts {
    int on = 0;
    bool quiet = true; ///< drained by all ranks since the last message
    int channels = 0;  ///< made after construction, and not closed
    int services = 0;  ///< made after construction, and not closed
};

struct plan_facts {
    int on = 0;
};

struct frame_facts {
    int on = 0;
    std::string kind;
};

struct block_facts {
    int on = 0;
};

struct model {
    int ranks = 1;
    std::map<int, group_facts> groups = {{0, {}}}; ///< communicators; 0 is the world
    std::map<int, mail_facts> mailboxes = {};
    std::map<int, plan_facts> plans = {};
    std::map<int, frame_facts> frames = {};
    std::map<int, block_facts> block_sets = {};

    /// Returns true if all objects of an operation exist.
    [[nodiscard]] bool has_all_of(operation const& line) const {
        return (!line.has("on") || groups.contains(line.id("on"))) &&
               (!line.has("mail") || mailboxes.contains(line.id("mail"))) &&
               (!line.has("plan") || plans.contains(line.id("plan"))) &&
               (!line.has("frame") || frames.contains(line.id("frame"))) &&
               (!line.has("blocks") || block_sets.contains(line.id("blocks")));
    }
};

} // namespace random_programs
