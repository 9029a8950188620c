/// Scripts that complete the words of the command in bash, zsh and fish.
#include "texts/self_description.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>

namespace weft::tool {

namespace {

void for_each_command(
    described_command const& from, std::function<void(described_command const&)> const& call) {
    call(from);
    for (described_command const& each : from.commands) for_each_command(each, call);
}

/// The words behind `weft`.
std::string words_of(described_command const& command) {
    return fmt::format("{}", fmt::join(command.path.begin() + 1, command.path.end(), " "));
}

std::vector<std::string> names_of(std::vector<described_option> const& options) {
    std::vector<std::string> names;
    for (described_option const& each : options)
        names.insert(names.end(), each.names.begin(), each.names.end());
    return names;
}

std::vector<std::string> names_of(std::vector<described_command> const& commands) {
    std::vector<std::string> names;
    for (described_command const& each : commands) names.push_back(each.path.back());
    return names;
}

/// Its own options, and those of every command.
std::vector<described_option> all_options(described_command const& command, described_command const& weft) {
    std::vector<described_option> all = command.options;
    if (command.path.size() == 1) return all;
    for (described_option const& each : options_for_all(weft)) all.push_back(each);
    return all;
}

std::string with_escapes(std::string const& text, std::string_view escaped, char escape) {
    std::string made;
    for (char const c : text) {
        if (escaped.find(c) != std::string_view::npos) made += escape;
        made += c;
    }
    return made;
}

std::string bash(described_command const& weft) {
    std::string find, lists, values;
    for_each_command(weft, [&](described_command const& each) {
        for (described_command const& below : each.commands)
            find += fmt::format(
                "        '{}/{}') command='{}' ;;\n", words_of(each), below.path.back(), words_of(below));
        lists += fmt::format("    '{}') options='{}' commands='{}' ;;\n", words_of(each),
            fmt::join(names_of(all_options(each, weft)), " "), fmt::join(names_of(each.commands), " "));
        for (described_option const& option : all_options(each, weft))
            for (std::string const& name : option.names)
                if (!option.choices.empty())
                    values += fmt::format("    '{} {}') choices='{}' ;;\n", words_of(each), name,
                        fmt::join(option.choices, " "));
    });
    return fmt::format(R"script(# Completes the words of weft in bash; made by `weft completion bash`.
_weft() {{
    local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD - 1]}}
    local command= options= commands= choices= i
    for ((i = 1; i < COMP_CWORD; ++i)); do
        case "$command/${{COMP_WORDS[i]}}" in
{}        esac
    done
    case "$command" in
{}    esac
    case "$command $previous" in
{}    esac
    if [ -n "$choices" ]; then
        COMPREPLY=($(compgen -W "$choices" -- "$current"))
    elif [[ $current == -* ]]; then
        COMPREPLY=($(compgen -W "$options" -- "$current"))
    elif [ -n "$commands" ]; then
        COMPREPLY=($(compgen -W "$commands" -- "$current"))
    else
        COMPREPLY=($(compgen -f -- "$current"))
    fi
}}
complete -o filenames -F _weft weft
)script",
        find, lists, values);
}

bool is_number(described_option const& option) {
    return option.value == "INT" || option.value == "UINT" || option.value == "FLOAT" ||
           option.value == "SECONDS";
}

/// One argument of zsh's _arguments.
std::string zsh_argument(described_option const& option) {
    std::string const text = with_escapes(option.text.substr(0, option.text.find('\n')), "[]:'", '\\');
    std::string quoted;
    for (char const c : text) quoted += c == '\'' ? "'\\''" : std::string(1, c);
    std::string const value = option.value.empty() ? ""
                              : !option.choices.empty()
                                  ? fmt::format(":value:({})", fmt::join(option.choices, " "))
                              : is_number(option) ? ":number: "
                                                  : ":value:_files";
    std::string made;
    for (std::string const& name : option.names)
        made += fmt::format(" \\\n        '{}[{}]{}'", name, quoted, value);
    return made;
}

std::string zsh(described_command const& weft) {
    std::string made =
        "#compdef weft\n# Completes the words of weft in zsh; made by `weft completion zsh`.\n";
    for_each_command(weft, [&](described_command const& each) {
        made += fmt::format("_{}() {{\n    local state line\n    _arguments -C", fmt::join(each.path, "_"));
        for (described_option const& option : all_options(each, weft)) made += zsh_argument(option);
        if (each.commands.empty()) {
            made += " \\\n        '*:file:_files'\n}\n";
            return;
        }
        // Two colons: the words that `rest` sees begin with the command, and hold its options.
        made += fmt::format(" \\\n        '(-)1:command:({})' '(-)*:: :->rest'\n    [[ $state == rest ]] && "
                            "case $words[1] in\n",
            fmt::join(names_of(each.commands), " "));
        for (described_command const& below : each.commands)
            made += fmt::format("    {}) _{} ;;\n", below.path.back(), fmt::join(below.path, "_"));
        made += "    esac\n}\n";
    });
    return made + "[[ $zsh_eval_context[-1] == loadautofunc ]] && _weft \"$@\" || compdef _weft weft\n";
}

std::string fish_quoted(std::string const& text) {
    return "'" + with_escapes(text.substr(0, text.find('\n')), "\\'", '\\') + "'";
}

std::string fish(described_command const& weft) {
    std::string made =
        "# Completes the words of weft in fish; made by `weft completion fish`.\ncomplete -c weft -f\n";
    for_each_command(weft, [&](described_command const& each) {
        std::string here;
        for (std::size_t i = 1; i < each.path.size(); ++i)
            here += fmt::format("{}__fish_seen_subcommand_from {}", i == 1 ? "" : "; and ", each.path[i]);
        std::string open = here;
        if (!each.commands.empty())
            open += fmt::format("{}not __fish_seen_subcommand_from {}", here.empty() ? "" : "; and ",
                fmt::join(names_of(each.commands), " "));
        for (described_command const& below : each.commands)
            made += fmt::format(
                "complete -c weft -n '{}' -a {} -d {}\n", open, below.path.back(), fish_quoted(below.text));
        std::string const only = here.empty() ? "" : fmt::format(" -n '{}'", here);
        for (described_option const& option : each.options) {
            made += fmt::format("complete -c weft{}", only);
            for (std::string const& name : option.names)
                made += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
            if (!option.choices.empty())
                made += fmt::format(" -x -a '{}'", fmt::join(option.choices, " "));
            else if (!option.value.empty())
                made += is_number(option) ? " -x" : " -r -F";
            made += fmt::format(" -d {}\n", fish_quoted(option.text));
        }
        if (!each.positionals.empty()) made += fmt::format("complete -c weft{} -F\n", only);
    });
    return made;
}

} // namespace

std::string completion_script(described_command const& weft, std::string const& shell) {
    return shell == "bash" ? bash(weft) : shell == "zsh" ? zsh(weft) : fish(weft);
}

} // namespace weft::tool
