#include "command.hpp"

#include <grids/grid_source.hpp>
#include <labelling/block_labels.hpp>
#include <labelling/paint_labels.hpp>

#include <weft/protocol/agreement.hpp>
#include <weft/protocol/collectives.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <utility>

namespace weft::tool {

namespace {

class label_command final : public command {
public:
    explicit label_command(CLI::App& app) {
        parser_ = app.add_subcommand("label", "Connected components of a volume or of a stack of images");
        parser_->add_option("STACK", file_, "A raw, VTK, NRRD or NetCDF file")->required();
        parser_->add_option("--threshold", rule_.threshold, "Voxels of at least this value are foreground")
            ->required();
        parser_->add_option("--neighbors", neighbors_, "6: voxels that share a face; 26: also an edge or a corner")
            ->check(CLI::IsMember({6, 26}))
            ->capture_default_str();
        parser_->add_option("--dims", dims_, "Voxels along x, y and z of a raw file, x fastest: X,Y,Z")
            ->delimiter(',')
            ->expected(3)
            ->check(CLI::PositiveNumber);
        parser_->add_option("--type", type_, "Type of the values of a raw file: uint8, uint16, float32, ...");
        parser_->add_option("--blocks", blocks_, "Blocks a rank")
            ->check(CLI::PositiveNumber)
            ->capture_default_str();
        parser_->add_option("--engine", engine_, "")
            ->check(CLI::IsMember({"exchange", "iexchange"}))
            ->capture_default_str();
        parser_->add_option("--labels", labels_, "");
        common_.add_to(*parser_);
    }

    void run(environment const& env) override {
        communicator const comm = env.world();
        counters const before = counters_of(comm);
        auto report = make_report("label", comm);
        progress_line progress(common_.progress, comm.rank());
        stopwatch watch(comm);

        progress.phase("reading");
        grid_file_options options;
        if (!dims_.empty()) std::copy(dims_.begin(), dims_.end(), options.dims.begin());
        if (!type_.empty()) options.type = value_type_named(type_);
        std::unique_ptr<grid_source> source;
        agreed(comm, [&] { source = open_grid(file_, options); });
        grid_shape const& shape = source->shape();
        regular_grid<std::int64_t> const grid = blocks_of_voxels(shape.points, blocks_ * comm.size());
        std::vector<std::vector<std::byte>> values;
        block_set<labelled_block> blocks(comm, grid, [&](block_id id) {
            labelled_block block;
            block.rows.bounds = grid.bounds(id);
            values.emplace_back(bytes_of(shape, block.rows.bounds));
            source->read(block.rows.bounds, values.back());
            return block;
        });
        watch.lap("read");

        progress.phase("labelling");
        std::size_t place = 0;
        std::int64_t foreground = 0;
        blocks.for_each([&](labelled_block& block, block_id) {
            block.rows = find_runs(values[place++], shape.type, block.rows.bounds, rule_);
            foreground += voxels_of(block.rows);
        });
        foreground = sum(comm, foreground);
        label_summary const found = label_blocks(blocks, grid,
            {.neighbors = {.corners = neighbors_ == 26}, .asynchronous = engine_ == "iexchange"});
        watch.lap("compute");
        std::vector<painted_box> painted;
        bool const wide = labels_are_wide(found.components);
        if (!labels_.empty()) {
            blocks.for_each([&](labelled_block& block, block_id) {
                painted.push_back(paint_labels(block.rows, block.whole, wide));
            });
            watch.lap("paint");
            write_labels(comm, labels_, shape.points, {}, wide, painted);
            watch.lap("write");
        }
        auto& result = report["result"];
        result["foreground"] = foreground;
        result["components"] = found.components;
        result["largest"] = found.largest;
        report["seconds"] = watch.seconds();
        report["traffic"] = traffic_since(comm, before);
        write_report(comm, report, common_.json);
    }

private:
    std::string file_;
    foreground_rule rule_;
    int neighbors_ = 6;
    std::vector<std::int64_t> dims_;
    std::string type_;
    std::int64_t blocks_ = 1;
    std::string engine_ = "iexchange";
    std::string labels_;
    common_options common_;
};

} // namespace

std::unique_ptr<command> make_label(CLI::App& app) {
    return std::make_unique<label_command>(app);
}

} // namespace weft::tool
