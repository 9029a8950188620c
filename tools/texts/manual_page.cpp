/// Pages for `man`: roff with the macros of man(7).
#include "texts/self_description.hpp"

#include <weft/core/settings.hpp>
#include <weft/core/version.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <sstream>

namespace weft::tool {

namespace {

/// Text as roff takes it for text.
std::string plain(std::string const& text) {
    std::string made;
    for (char const c : text) {
        if (c == '\\')
            made += "\\e";
        else if (c == '-')
            made += "\\-";
        else
            made += c;
    }
    return made;
}

/// A line that is none of roff's requests.
std::string line(std::string const& text) {
    bool const request = !text.empty() && (text[0] == '.' || text[0] == '\'');
    return (request ? "\\&" : "") + plain(text) + "\n";
}

std::string upper(std::string text) {
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::toupper(c); });
    return text;
}

std::string synopsis(described_command const& command) {
    std::string made = fmt::format(".B {}\n", fmt::join(command.path, " "));
    made += "[\\fIOPTIONS\\fR]\n";
    for (described_option const& each : command.positionals)
        made += fmt::format(
            "{0}\\fI{1}\\fR{2}\n", each.required ? "" : "[", plain(each.value), each.required ? "" : "]");
    if (!command.commands.empty()) made += "\\fICOMMAND\\fR ...\n";
    return made;
}

std::string option_entry(described_option const& option) {
    std::string names;
    for (std::string const& name : option.names)
        names += fmt::format("{}\\fB{}\\fR", names.empty() ? "" : ", ", plain(name));
    if (names.empty())
        names = fmt::format("\\fI{}\\fR", plain(option.value));
    else if (!option.value.empty())
        names += fmt::format(" \\fI{}\\fR", plain(option.value));
    std::string const end = option.choices.empty() && option.preset.empty() ? "" : ".";
    std::string made = ".TP\n" + names + "\n" + line(option.text + end);
    if (!option.choices.empty()) made += line(fmt::format("One of: {}.", fmt::join(option.choices, ", ")));
    if (!option.preset.empty()) made += line(fmt::format("Default: {}.", option.preset));
    return made;
}

std::string entries(std::string const& title, std::vector<described_option> const& options) {
    if (options.empty()) return "";
    std::string made = ".SH " + title + "\n";
    for (described_option const& each : options) made += option_entry(each);
    return made;
}

/// The notes below the options: paragraphs, and lines that begin with blanks as they are.
std::string notes(std::string const& footer) {
    std::string made = ".SH NOTES\n";
    std::istringstream lines(footer);
    bool as_they_are = false;
    for (std::string text; std::getline(lines, text);) {
        if (text == "Examples:" || text == "Example:") {
            made += (as_they_are ? ".fi\n" : "") + std::string(".SH EXAMPLES\n.nf\n");
            as_they_are = true;
            continue;
        }
        bool const indented = text.starts_with("  ");
        if (indented != as_they_are) made += indented ? ".PP\n.nf\n" : ".fi\n.PP\n";
        as_they_are = indented;
        made += text.empty() ? ".PP\n" : line(text);
    }
    if (as_they_are) made += ".fi\n";
    return footer.starts_with("Examples:") ? made.substr(made.find(".SH EXAMPLES")) : made;
}

std::string environment_section() {
    std::string made = ".SH ENVIRONMENT\n";
    for (knob const& each : knobs())
        made += fmt::format(".TP\n\\fB{}\\fR\n", each.name) + line(std::string(each.explanation)) +
                line(fmt::format("Takes: {}.", each.type));
    made += ".TP\n\\fBNO_COLOR\\fR\n" + line("If this variable is set and not empty, output has no colours.");
    return made;
}

} // namespace

std::string manual_page(described_command const& command, described_command const& weft) {
    std::string const name = fmt::format("{}", fmt::join(command.path, "-"));
    std::string page = fmt::format(
        ".TH {} 1 \"\" \"weft {}\" \"Weft\"\n.ad l\n.SH NAME\n", upper(plain(name)), WEFT_VERSION_TEXT);
    bool const is_weft = command.path.size() == 1;
    page += plain(name) + " \\- " + line(is_weft ? "irregular communication for MPI" : command.text);
    page += ".SH SYNOPSIS\n" + synopsis(command);
    if (is_weft) page += ".SH DESCRIPTION\n" + line(command.text);
    page += entries("ARGUMENTS", command.positionals) + entries("OPTIONS", command.options);
    if (!is_weft) page += entries("OPTIONS OF EVERY COMMAND", options_for_all(weft));
    if (!command.commands.empty()) {
        page += ".SH COMMANDS\n";
        for (described_command const& each : command.commands)
            page += fmt::format(".TP\n\\fB{}\\fR(1)\n", plain(fmt::format("{}", fmt::join(each.path, "-")))) +
                    line(each.text);
    }
    if (!command.footer.empty()) page += notes(command.footer);
    if (is_weft) page += environment_section();
    page += ".SH EXIT STATUS\n"
            "The exit status is 0 after success, 1 after an error, 2 after a mistake in the arguments, and "
            "130 after Ctrl\\-C.\n";
    page += is_weft ? "" : ".SH SEE ALSO\n\\fBweft\\fR(1)\n";
    return page;
}

} // namespace weft::tool
