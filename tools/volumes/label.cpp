#include "label_contacts.hpp"
#include "label_regions.hpp"
#include "options/bound_option.hpp"
#include "options/number_check.hpp"
#include "options/output_option.hpp"
#include "options/preset.hpp"
#include "picture_options.hpp"
#include "report/reporting_command.hpp"
#include "report/table_file.hpp"
#include "volume_options.hpp"

#include <grids/grid_source.hpp>
#include <grids/images/image_pages.hpp>
#include <grids/images/image_stack.hpp>
#include <labelling/block_labels.hpp>
#include <labelling/kept_components.hpp>
#include <labelling/label_file.hpp>
#include <labelling/label_picture.hpp>
#include <labelling/paint_labels.hpp>
#include <labelling/tracks.hpp>

#include <weft/io/write_text.hpp>
#include <weft/protocol/agreement.hpp>
#include <weft/protocol/collectives.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <optional>
#include <utility>

namespace weft::tool {

namespace {

constexpr char footer[] =
    R"(The table of --tracks has a line for each object, which is a connected part of one frame:
  component                the component of the stack to which the object belongs, as in --labels
  first_frame, last_frame  the first and the last frame of that component, counted from 0
  frame, object, size      the frame of the object, its number in the frame (from 1), and its number of pixels
  x, y                     the centroid of the object, in pixels from 0
  previous, next           the objects of the frames before and after that share a pixel with the object
  event                    birth (no previous), death (no next), merge (several previous), split
                           (several next); if an object has several events, + joins their names
There are no births in the first frame and no deaths in the last frame. A pixel has 4 neighbours in its frame
with --neighbors 6, and 8 with --neighbors 26.
Results do not depend on the number of ranks or blocks, or on the engine.
Examples:
  weft -n 4 label brain.nii.gz --threshold 89.5 --neighbors 26 --labels brain.vti --image brain.png
  weft -n 2 label frames/ --channel green --threshold 69 --tracks tracks.csv --image frames.png
  weft label volume.raw --dims 68,68,68 --type uint8 --threshold 64.5
  weft label scan.raw --dims 512,512,300 --type int16 --byte-order big --header-bytes 352 --threshold 200 --below 900)";

class label_command final : public reporting_command {
public:
    explicit label_command(CLI::App& app)
        : reporting_command(app, "label", "Connected components of a volume, or of a stack of images") {
        parser_->add_option("STACK", files_, help_of_volumes("A volume, or several images"))->required();
        add_bound(*parser_, "--threshold", threshold_,
            "Voxels of at least this value are foreground; missing values and NaN are never foreground");
        add_bound(*parser_, "--below", rule_.below,
            "Voxels below this value are foreground; together with --threshold T, voxels whose values are at "
            "least T and below this value");
        add_preset(*parser_, "--neighbors", neighbors_,
            "Neighbours of a voxel: 6 voxels share a face with it, 18 share a face or an edge, 26 share a "
            "face, an edge or a corner",
            CLI::IsMember({6, 18, 26}));
        reading_.add_to(*parser_);
        parser_
            ->add_option(
                "--dust", kept_.dust, "Components of fewer voxels than this number become background")
            ->check(at_least(1));
        parser_
            ->add_option("--largest", kept_.largest,
                "Keep only this number of components, the largest ones; of components with equal size, those "
                "whose first voxels come first are kept")
            ->check(at_least(1));
        names_labels(
            parser_->add_option("--labels", labels_,
                "Write the number of the component of each voxel as int32 (int64 beyond 2^31 - 1 "
                "components); 0 is background, and components are numbered from 1, in the order of their "
                "first voxels. "
                "FILE.vti, FILE.vtr (for uneven axes), FILE.nrrd and FILE.nii contain the coordinates of the "
                "volume; FILE.raw or FILE.bin has raw values, x fastest. May be given twice"))
            ->take_all()
            ->allow_extra_args(false);
        names_table(parser_->add_option("--regions", regions_,
            std::string("Write a table with a line for each component: its number of voxels, centroid and "
                        "bounding box (in voxels from 0), smallest, largest and mean value, and the number "
                        "of its faces at the border of the volume (contacts). ") +
                table_help));
        names_table(parser_->add_option("--contacts", contacts_,
            std::string(
                "With --neighbors 6: write a table with a line for each pair of components that touch at an "
                "edge or a corner of voxels, and the number of touching pairs of voxels. ") +
                table_help));
        names_output(parser_->add_option("--tracks", tracks_,
            "Treat z as time, and write a table of the objects of each frame with their predecessors and "
            "successors"));
        names_picture(parser_->add_option("--image", image_,
            "Draw the labels as PNG: the frames side by side if z is time (with --tracks, or if the input "
            "consists of images), otherwise the middle slices with projections below them"));
        add_theme(*parser_, theme_);
        add_preset(*parser_, "--blocks", blocks_,
            "Number of blocks on each rank; fewer if the volume is too small", between(1, 1073741824));
        add_preset(*parser_, "--engine", engine_,
            "How ranks communicate: exchange (in rounds) or iexchange (asynchronous messages)",
            CLI::IsMember({"exchange", "iexchange"}));
        common_.add_watched_to(*parser_);
        parser_->footer(footer);
        parser_->callback([this] {
            if (!threshold_ && !rule_.below) throw CLI::RequiredError("--threshold or --below");
            if (!contacts_.empty() && neighbors_ != 6)
                throw CLI::ValidationError("--contacts",
                    "needs --neighbors 6: with 18 or 26, components that touch are one component");
            if (threshold_) rule_.threshold = *threshold_;
            if (threshold_ && rule_.below && !(*threshold_ < *rule_.below))
                throw CLI::ValidationError("--below", "expected more than --threshold");
        });
    }

private:
    void compute(session const& now) override {
        communicator const& comm = now.comm;
        now.progress.phase("reading");
        opened_volume volume(
            comm, files_[0], [&](std::filesystem::path const& first) { return open(first); });
        first_ = volume.path();
        grid_shape const shape = volume.source().shape();
        agreed(comm, [&] {
            for (std::string const& file : labels_) check_label_file(file, shape);
        });
        rule_.missing = shape.missing;
        regular_grid<std::int64_t> const grid = blocks_of_voxels(shape.points, blocks_ * comm.size());
        values_.clear();
        auto const read = [&](block_id id) {
            labelled_block block;
            block.rows.bounds = grid.bounds(id);
            volume.source().read(block.rows.bounds, values_.emplace_back(bytes_of(shape, block.rows.bounds)));
            return block;
        };
        auto blocks = volume.naming_it([&] { return block_set<labelled_block>(comm, grid, read); });
        volume.close();
        now.watch.lap("read");

        now.progress.phase("labelling");
        std::int64_t const foreground = find_foreground(blocks, shape.type);
        label_options const options{.neighbors = {.corners = neighbors_ == 26, .edges = neighbors_ == 18},
            .asynchronous = engine_ == "iexchange"};
        label_summary found = label_blocks(blocks, grid, options);
        dropped_components dropped;
        if (kept_.dust > 0 || kept_.largest) dropped = drop_components(blocks, grid, options, kept_, found);
        now.watch.lap("compute");

        describe_run(now.report, shape, grid);
        auto& result = now.report["result"];
        result["voxels"] = shape.points[0] * shape.points[1] * shape.points[2];
        result["foreground"] = foreground - dropped.voxels;
        if (kept_.dust > 0 || kept_.largest) {
            result["dropped_components"] = dropped.components;
            result["dropped_voxels"] = dropped.voxels;
        }
        result["components"] = found.components;
        result["largest"] = found.largest;
        if (!tracks_.empty()) {
            now.progress.phase("tracking");
            tracks const followed = find_tracks(blocks, grid, options);
            now.watch.lap("track");
            result["tracks"] = as_json(followed.summary);
            now.progress.phase("writing");
            write_tracks(comm, followed);
            now.watch.lap("write tracks");
        }
        if (!regions_.empty()) {
            now.progress.phase("writing regions");
            write_regions(blocks, grid.domain(), found.components, shape.type, values_, regions_);
            now.watch.lap("write regions");
        }
        if (!contacts_.empty()) {
            now.progress.phase("writing contacts");
            write_contacts(blocks, grid, found.components, contacts_);
            now.watch.lap("write contacts");
        }
        if (!labels_.empty() || !image_.empty()) {
            now.progress.phase("painting");
            bool const wide = labels_are_wide(found.components);
            std::vector<painted_box> const painted = paint(blocks, wide);
            now.watch.lap("paint");
            now.progress.phase("writing");
            for (std::string const& file : labels_) write_labels(comm, file, shape, wide, painted);
            bool const calm = !found.largest.empty() && 2 * found.largest[0] > foreground - dropped.voxels;
            if (!image_.empty()) draw(comm, shape, painted, calm ? found.number_of_largest : 0);
            now.watch.lap("write");
        }
    }

    [[nodiscard]] std::unique_ptr<grid_source> open(std::filesystem::path const& first) const {
        grid_file_options reading = reading_.chosen();
        reading.each_once = true;
        auto source = files_.size() == 1 ? open_grid(first, reading)
                                         : open_image_stack({files_.begin(), files_.end()}, reading);
        if (source->shape().components != 1)
            throw usage_error(
                first.string() + ": has " + std::to_string(source->shape().components) +
                " values a voxel, and only one can be compared with a threshold; name an array of "
                "single values with --variable");
        return reading_.marked(std::move(source));
    }

    [[nodiscard]] std::int64_t find_foreground(block_set<labelled_block>& blocks, value_type type) {
        std::size_t place = 0;
        std::int64_t foreground = 0;
        blocks.for_each([&](labelled_block& block, block_id) {
            block.rows = find_runs(values_[place], type, block.rows.bounds, rule_);
            foreground += voxels_of(block.rows);
            if (image_.empty() && regions_.empty()) values_[place] = {};
            ++place;
        });
        return sum(blocks.comm(), foreground);
    }

    /// True if planes are moments rather than slices.
    [[nodiscard]] bool is_sequence() const {
        std::error_code ignored;
        return !tracks_.empty() || files_.size() > 1 || is_image_name(first_) ||
               std::filesystem::is_directory(first_, ignored);
    }

    static nlohmann::ordered_json as_json(track_summary const& found) {
        return {{"objects", found.objects}, {"links", found.links}, {"one_to_one", found.one_to_one},
            {"splits", found.splits}, {"merges", found.merges}, {"deaths", found.deaths},
            {"births", found.births}};
    }

    static std::vector<painted_box> paint(block_set<labelled_block>& blocks, bool wide) {
        std::vector<painted_box> painted;
        blocks.for_each([&](labelled_block& block, block_id) {
            painted.push_back(paint_labels(block.rows, block.whole, wide));
        });
        return painted;
    }

    void write_tracks(communicator const& comm, tracks const& found) const {
        std::string const head = comm.rank() == 0 ? table_head_of_tracks() : std::string();
        write_text(comm, tracks_, head + table_of(found));
    }

    void draw(communicator const& comm, grid_shape const& shape, std::vector<painted_box> const& painted,
        std::int64_t calm) const {
        std::vector<seen_block> seen;
        for (std::size_t place = 0; place < painted.size(); ++place)
            seen.push_back({&values_[place], &painted[place]});
        picture const drawn =
            draw_labels(comm, shape, seen, is_sequence() ? picture_view::frames : picture_view::slices, calm,
                {"Components of " + short_name_of(files_[0]), reading_.label_of_values(shape)},
                theme_named(theme_));
        write_picture(comm, image_, [&] { return drawn; });
    }

    void describe_run(nlohmann::ordered_json& report, grid_shape const& shape,
        regular_grid<std::int64_t> const& grid) const {
        auto& input = report["input"];
        input["file"] = files_[0];
        if (files_.size() > 1) input["files"] = files_.size();
        describe_shape(input, shape);
        if (shape.missing) input["missing"] = *shape.missing;
        auto& options = report["options"];
        if (threshold_) options["threshold"] = json_of(*threshold_);
        if (rule_.below) options["below"] = json_of(*rule_.below);
        options["neighbors"] = neighbors_;
        if (kept_.dust > 0) options["dust"] = kept_.dust;
        if (kept_.largest) options["largest"] = *kept_.largest;
        options["engine"] = engine_;
        options["blocks"] = grid.blocks();
        grid_file_options const reading = reading_.chosen();
        if (!reading.channel.empty()) options["channel"] = reading.channel;
        if (!reading.variable.empty()) options["variable"] = reading.variable;
        if (!labels_.empty()) options["labels"] = labels_;
        if (!regions_.empty()) options["regions"] = regions_;
        if (!contacts_.empty()) options["contacts"] = contacts_;
        if (!tracks_.empty()) options["tracks"] = tracks_;
        if (!image_.empty()) options["image"] = image_;
    }

    [[nodiscard]] std::string subject(nlohmann::ordered_json const&) const override {
        std::string const name = short_name_of(files_[0]);
        return files_.size() > 1 ? fmt::format("{} and {} more", name, files_.size() - 1) : name;
    }

    [[nodiscard]] std::string describe(nlohmann::ordered_json const& report) const override {
        auto const& result = report["result"];
        auto const number = [](nlohmann::ordered_json const& from, char const* name) {
            return from[name].get<std::int64_t>();
        };
        auto const percent = [](std::int64_t part, std::int64_t whole) {
            return 100 * static_cast<double>(part) / static_cast<double>(std::max<std::int64_t>(whole, 1));
        };
        std::int64_t const foreground = number(result, "foreground");
        auto const& input = report["input"];
        std::string text =
            table_row("voxels", counts_along_axes(input["dims"]) + " " + input["type"].get<std::string>());
        text += table_row("foreground",
            fmt::format("{} ({:.1f} %)", grouped(foreground), percent(foreground, number(result, "voxels"))));
        if (report["input"].contains("units"))
            text += table_row("units", report["input"]["units"].get<std::string>());
        text += table_row("components", grouped(number(result, "components")));
        if (result.contains("dropped_components"))
            text += table_row("dropped",
                fmt::format("{} components of {} voxels", grouped(number(result, "dropped_components")),
                    grouped(number(result, "dropped_voxels"))));
        if (result.contains("tracks")) {
            auto const& of = result["tracks"];
            text += table_row("objects", grouped(number(of, "objects")) + " in the frames");
            text += table_row("links", fmt::format("{}, {} of them one to one", grouped(number(of, "links")),
                                           grouped(number(of, "one_to_one"))));
            text += table_row("events", fmt::format("{} births, {} deaths, {} splits, {} merges",
                                            grouped(number(of, "births")), grouped(number(of, "deaths")),
                                            grouped(number(of, "splits")), grouped(number(of, "merges"))));
        }
        if (!result["largest"].empty()) text += "\n  largest components\n";
        int place = 0;
        for (auto const& each : result["largest"]) {
            auto const size = each.get<std::int64_t>();
            text += fmt::format("  {:>4}  {:>13}  {:5.1f} %  {}\n", ++place, grouped(size),
                percent(size, foreground), last_bar(percent(size, foreground) / 100, 32));
        }
        return text;
    }

    std::vector<std::string> files_;
    std::filesystem::path first_; // of them, to be opened
    std::optional<value_bound> threshold_;
    foreground_rule rule_{.threshold = -std::numeric_limits<double>::infinity()};
    int neighbors_ = 6;
    volume_options reading_;
    kept_components kept_;
    std::vector<std::string> labels_;
    std::string regions_;
    std::string contacts_;
    std::string tracks_;
    std::string image_;
    std::string theme_ = "light";
    std::int64_t blocks_ = 1;
    std::string engine_ = "iexchange";
    std::vector<std::vector<std::byte>> values_; // of the blocks of this rank
};

} // namespace

std::unique_ptr<command> make_label(CLI::App& app) {
    return std::make_unique<label_command>(app);
}

} // namespace weft::tool
