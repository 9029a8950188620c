#include "protocol_choice.hpp"

#include "options/choice_check.hpp"
#include "options/preset.hpp"

#include <weft/machine/machine_model.hpp>

namespace weft::tool {

void protocol_choice::add_to(CLI::App& parser, std::string const& about_protocols,
    std::string const& about_census, std::vector<protocol> const& extra) {
    std::vector<std::string> known; // in the order of the help
    auto const add = [&](protocol each) {
        known.emplace_back(name_of(each));
        known_[known.back()] = each;
    };
    for (protocol const each : extra) add(each);
    for (protocol const each : all_protocols()) {
        add(each);
        names_.push_back(known.back());
    }
    add_preset(parser, "--protocol", names_, about_protocols, CLI::IsMember(known));
    parser.add_option("--all-reduce", census_, about_census)
        ->transform(one_of(
            std::map<std::string, all_reduce_method>{{"dissemination", all_reduce_method::dissemination},
                {"collective", all_reduce_method::collective}}))
        ->default_str("dissemination");
}

} // namespace weft::tool
