#include "claim.hpp"

#include "report/terminal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace weft::tool {

std::string_view name_of(verdict outcome) noexcept {
    switch (outcome) {
    case verdict::reproduced:
        return "reproduced";
    case verdict::in_shape:
        return "in shape";
    case verdict::differs:
        return "differs";
    case verdict::not_run:
        break;
    }
    return "not run";
}

std::string number_text(double number) {
    if (std::abs(number) >= 1000) return grouped(std::llround(number));
    return fmt::format("{:.3g}", number);
}

claim number_claim(
    std::string text, std::string source, double paper, std::optional<double> ours, std::string_view reason) {
    claim made{std::move(text), std::move(source), number_text(paper), "", paper, ours, verdict::differs, ""};
    if (!ours) {
        made.ours = "none";
        made.because =
            fmt::format("{} has no number here{}{}", made.text, reason.empty() ? "" : ": ", reason);
        return made;
    }
    made.ours = number_text(*ours);
    double const times = *ours / paper;
    if (std::abs(times - 1) <= 0.25) {
        made.outcome = verdict::reproduced;
    } else if (times >= 0.5 && times <= 2) {
        made.outcome = verdict::in_shape;
    } else {
        made.because = fmt::format("{} is here {} times the paper's{}{}", made.text, number_text(times),
            reason.empty() ? "" : ": ", reason);
    }
    return made;
}

namespace {

claim judged_statement(std::string text, std::string source, bool holds, verdict if_so, std::string ours,
    std::string_view reason) {
    claim made{std::move(text), std::move(source), "yes", std::move(ours), {}, {},
        holds ? if_so : verdict::differs, ""};
    if (!holds)
        made.because = fmt::format("here it does not hold that {} ({}){}{}", made.text, made.ours,
            reason.empty() ? "" : ": ", reason);
    return made;
}

} // namespace

claim statement_claim(
    std::string text, std::string source, bool holds, std::string ours, std::string_view reason) {
    return judged_statement(
        std::move(text), std::move(source), holds, verdict::in_shape, std::move(ours), reason);
}

claim bound_claim(
    std::string text, std::string source, bool holds, std::string ours, std::string_view reason) {
    return judged_statement(
        std::move(text), std::move(source), holds, verdict::reproduced, std::move(ours), reason);
}

claim too_small_claim(std::string text, std::string source, std::string paper) {
    return {std::move(text), std::move(source), std::move(paper), "", {}, {}, verdict::not_run,
        "this size is too small for it"};
}

verdict judged(std::span<claim const> claims) noexcept {
    verdict worst = verdict::not_run;
    for (claim const& each : claims)
        if (each.outcome != verdict::not_run)
            worst = worst == verdict::not_run ? each.outcome : std::max(worst, each.outcome);
    return worst;
}

std::string verdict_text(std::span<claim const> claims) {
    verdict const outcome = judged(claims);
    if (outcome == verdict::reproduced || outcome == verdict::in_shape) return std::string(name_of(outcome));
    auto const wrong = std::ranges::find(claims, outcome, &claim::outcome);
    return outcome == verdict::not_run ? "not judged: this size is too small"
                                       : "not, because " + wrong->because;
}

} // namespace weft::tool
