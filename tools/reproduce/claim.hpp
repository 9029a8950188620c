/// Claims of a paper beside the numbers found here, and the rules that judge them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace weft::tool {

/// From the best to the worst, but for `not_run`: nothing was found to compare with.
enum class verdict : std::uint8_t { reproduced, in_shape, differs, not_run };

/// The same words in tables, CSV and JSON.
[[nodiscard]] std::string_view name_of(verdict outcome) noexcept;

/// One number or statement of a paper.
struct claim {
    std::string text;
    std::string source; ///< the place in the paper
    std::string paper;  ///< its value as text
    std::string ours;
    std::optional<double> paper_number; ///< of claims that are numbers
    std::optional<double> our_number;
    verdict outcome = verdict::not_run;
    std::string because; ///< of `differs` and `not_run`
};

/// A number is reproduced within 25 %, and in shape within a factor of 2. `ours`: nothing where no number was
/// found, as for curves that do not cross; `reason` says why, or explains a difference that is known.
[[nodiscard]] claim number_claim(std::string text, std::string source, double paper,
    std::optional<double> ours, std::string_view reason = {});

/// A statement without a number is in shape where it holds.
[[nodiscard]] claim statement_claim(
    std::string text, std::string source, bool holds, std::string ours, std::string_view reason = {});

/// A statement with a bound in it, as "below 5", is reproduced where it holds.
[[nodiscard]] claim bound_claim(
    std::string text, std::string source, bool holds, std::string ours, std::string_view reason = {});

/// A claim that this run is too small for.
[[nodiscard]] claim too_small_claim(std::string text, std::string source, std::string paper);

/// The worst outcome of claims that were judged; `not_run` where there is no such claim.
[[nodiscard]] verdict judged(std::span<claim const> claims) noexcept;

/// The verdict of a figure in words: "not, because ..." with the first claim that differs.
[[nodiscard]] std::string verdict_text(std::span<claim const> claims);

/// Three digits, as much as papers and simulations are good for.
[[nodiscard]] std::string number_text(double number);

} // namespace weft::tool
