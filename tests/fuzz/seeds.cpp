#include "seeds.hpp"

#include "../grids/hdf5_files.hpp"
#include "../grids/imagej_files.hpp"
#include "../io/packed_bytes.hpp"
#include "../meshes/gmsh_files.hpp"
#include "../meshes/plot3d_files.hpp"
#include "../meshes/xdmf_files.hpp"

#include <grids/grid_formats.hpp>
#include <io/formats/binary_head.hpp>

#include <weft/nbody/particle.hpp>

#include <netcdf.h>
#include <png.h>
#include <tiffio.h>
#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <numeric>
#include <stdexcept>

namespace weft_test {

namespace {

using weft::value_type;

template <class T>
std::string counted(std::size_t count) {
    std::vector<T> values(count);
    std::iota(values.begin(), values.end(), T{1});
    return {reinterpret_cast<char const*>(values.data()), count * sizeof(T)};
}

std::string content_of(std::filesystem::path const& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::string npy(std::string const& type, std::string const& shape, bool fortran, std::string const& values) {
    std::string head = "{'descr': '" + type + "', 'fortran_order': " + (fortran ? "True" : "False") +
                       ", 'shape': " + shape + ", }";
    head += std::string(64 - (10 + head.size() + 1) % 64, ' ') + '\n';
    return "\x93NUMPY" + std::string("\1\0", 2) + little_endian(head.size(), 2) + head + values;
}

/// Three labels, two edges with weights; written by Weft on this machine.
std::string binary_graph() {
    weft::io::binary_head head;
    std::ranges::copy(weft::io::binary_magic, head.magic.begin());
    head.naming = static_cast<std::uint32_t>(weft::vertex_naming::text);
    head.end_bytes = head.weight_bytes = 4;
    head.edges = 2;
    head.names = 3;
    head.name_bytes = 5;
    std::vector<std::uint32_t> const ends{0, 1, 2, 0};
    std::vector<float> const weights{0.5F, 2.0F};
    std::vector<std::int64_t> const name_ends{1, 3, 5};
    std::string const names = "abbcc";
    for (std::int64_t i = 0; i < 2; ++i) {
        auto const place = static_cast<std::size_t>(i);
        head.edge_sum += weft::io::check_of(weft::edge{ends[2 * place], ends[2 * place + 1]}, i);
        head.weight_sum += weft::io::check_of(double{weights[place]}, i);
    }
    head.name_sum = weft::io::check_of(std::string_view("a"), 0) +
                    weft::io::check_of(std::string_view("bb"), 1) +
                    weft::io::check_of(std::string_view("cc"), 2);
    head.own_sum = head.sum();
    auto const bytes = [](auto const* first, std::size_t count) {
        return std::string(reinterpret_cast<char const*>(first), count * sizeof *first);
    };
    return bytes(&head, 1) + bytes(ends.data(), 4) + bytes(weights.data(), 2) + bytes(name_ends.data(), 3) +
           names;
}

std::string legacy_vtk(char const* kind, std::string const& rest) {
    return std::string("# vtk DataFile Version 3.0\na grid\n") + kind + "\nDATASET " + rest;
}

std::string in_xml(char const* kind, std::string const& geometry, std::string const& array) {
    std::string const name(kind);
    return "<?xml version=\"1.0\"?><VTKFile type=\"" + name +
           "\" version=\"0.1\" byte_order=\"LittleEndian\"><" + name + " " + geometry +
           "<PointData Scalars=\"a\"><DataArray type=\"Int32\" Name=\"a\" " + array;
}

std::string nifti(std::int16_t type, std::int16_t bits, std::size_t values) {
    std::string head(352, '\0');
    auto const put = [&](std::size_t at, auto value) { std::memcpy(head.data() + at, &value, sizeof value); };
    put(0, std::int32_t{348});
    std::int16_t const dims[8] = {3, 3, 2, static_cast<std::int16_t>(values / 6), 1, 1, 1, 1};
    std::memcpy(head.data() + 40, dims, sizeof dims);
    put(70, type);
    put(72, bits);
    put(80, 1.5F);
    put(84, 1.0F);
    put(88, 2.0F);
    put(108, 352.0F);
    put(112, 2.0F);
    std::memcpy(head.data() + 344, "n+1", 4);
    return head + std::string(values * static_cast<std::size_t>(bits) / 8, '\7');
}

void check(int status) {
    if (status != NC_NOERR) throw std::runtime_error(nc_strerror(status));
}

std::string netcdf(std::filesystem::path const& file, int format) {
    int id = -1, t = -1, y = -1, x = -1, fixed = -1, moving = -1;
    check(nc_create(file.c_str(), NC_CLOBBER | format, &id));
    check(nc_def_dim(id, "t", NC_UNLIMITED, &t));
    check(nc_def_dim(id, "y", 3, &y));
    check(nc_def_dim(id, "x", 4, &x));
    int const dims[] = {t, y, x};
    check(nc_def_var(id, "x", NC_DOUBLE, 1, &x, &fixed));
    check(nc_put_att_text(id, fixed, "units", 12, "degrees_east"));
    check(nc_def_var(id, "v", NC_SHORT, 3, dims, &moving));
    double const scale = 0.5;
    short const fill = -1;
    check(nc_put_att_double(id, moving, "scale_factor", NC_DOUBLE, 1, &scale));
    check(nc_put_att_short(id, moving, "_FillValue", NC_SHORT, 1, &fill));
    check(nc_enddef(id));
    double const axis[] = {1, 2, 3, 4};
    check(nc_put_var_double(id, fixed, axis));
    std::vector<short> const values(24, 0x0101);
    std::size_t const start[] = {0, 0, 0};
    std::size_t const count[] = {2, 3, 4};
    check(nc_put_vara_short(id, moving, start, count, values.data()));
    check(nc_close(id));
    return content_of(file);
}

struct tiff_layout {
    std::uint16_t bits;
    std::uint16_t compression;
    bool tiled;
};

std::string tiff(std::filesystem::path const& file, tiff_layout const& how) {
    TIFF* const out = TIFFOpen(file.c_str(), "w");
    if (!out) throw std::runtime_error("cannot write a TIFF file");
    for (int page = 0; page < 2; ++page) {
        TIFFSetField(out, TIFFTAG_IMAGEWIDTH, 16U);
        TIFFSetField(out, TIFFTAG_IMAGELENGTH, 16U);
        TIFFSetField(out, TIFFTAG_BITSPERSAMPLE, how.bits);
        TIFFSetField(out, TIFFTAG_SAMPLESPERPIXEL, std::uint16_t{1});
        TIFFSetField(out, TIFFTAG_PHOTOMETRIC, std::uint16_t{PHOTOMETRIC_MINISBLACK});
        TIFFSetField(out, TIFFTAG_COMPRESSION, how.compression);
        std::vector<char> values(16U * 16U * how.bits / 8U, static_cast<char>('1' + page));
        if (how.tiled) {
            TIFFSetField(out, TIFFTAG_TILEWIDTH, 16U);
            TIFFSetField(out, TIFFTAG_TILELENGTH, 16U);
            TIFFWriteEncodedTile(out, 0, values.data(), static_cast<tmsize_t>(values.size()));
        } else {
            TIFFSetField(out, TIFFTAG_ROWSPERSTRIP, 16U);
            TIFFWriteEncodedStrip(out, 0, values.data(), static_cast<tmsize_t>(values.size()));
        }
        TIFFWriteDirectory(out);
    }
    TIFFClose(out);
    return content_of(file);
}

std::string png(std::filesystem::path const& file, std::uint32_t format) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = 5;
    image.height = 4;
    image.format = format;
    std::vector<std::uint16_t> const pixels(80, 0x1234);
    png_image_write_to_file(&image, file.c_str(), 0, pixels.data(), 0, nullptr);
    return content_of(file);
}

/// Of the newest layout, whose inner structures have checksums: of older ones that are damaged, one in
/// 150,000 leads version 1.10.8 of the library to a segmentation fault of its own. They are cut off
/// elsewhere.
std::string hdf5(std::filesystem::path const& file) {
    {
        hdf5_writer out(file, true);
        std::string const values = counted<std::int16_t>(24);
        out.add("/a", H5T_STD_I16LE, H5T_NATIVE_INT16, {2, 3, 4}, values.data());
        out.add("/b", H5T_STD_I16BE, H5T_NATIVE_INT16, {2, 3, 4}, values.data(), packed_chunks({1, 2, 3}));
    }
    return content_of(file);
}

void add_grids(std::filesystem::path const& folder, std::vector<seed_file>& seeds) {
    auto const add = [&](std::string name, std::string content, weft::grid_file_options options = {}) {
        seeds.push_back({std::move(name), std::move(content), readers::of_grids, std::move(options)});
    };
    add("a.raw", "head" + counted<std::int16_t>(24),
        {.dims = {4, 3, 2}, .type = value_type::int16, .byte_order = std::endian::big, .header_bytes = 4});
    seeds.push_back({"small.json",
        R"({"dims_xyz": [3, 2, 1], "components": 1, "type": "uint8", "x": [0, 1, 4], "file": "other.small.json"})",
        readers::of_grids, {}, true, "abcdef"});
    std::string const nrrd = "NRRD0004\ntype: short\ndimension: 2\nsizes: 4 3\nendian: little\nencoding: ";
    add("raw.nrrd", nrrd + "raw\n\n" + counted<std::int16_t>(12));
    add("text.nrrd", nrrd + "ascii\n\n10 11 12 13 14 15 16 17 18 19 20 21\n");
    add("gzip.nrrd", nrrd + "gzip\n\n" + gzip(counted<std::int16_t>(12)));
    add("vectors.nrrd",
        "NRRD0005\ntype: float\ndimension: 3\nspace dimension: 2\nsizes: 2 3 2\nkinds: vector domain domain\n"
        "space directions: none (2,0) (0,3)\nspace origin: (1,1)\nendian: little\nencoding: raw\n\n" +
            counted<float>(12));
    std::string const scalars = "POINT_DATA 12\nSCALARS heat float\nLOOKUP_TABLE default\n";
    std::string const straight = "RECTILINEAR_GRID\nDIMENSIONS 3 2 2\n";
    add("text.vtk", legacy_vtk("ASCII", straight +
                                            "X_COORDINATES 3 float\n0 1 12\nY_COORDINATES 2 float\n0 1\n"
                                            "Z_COORDINATES 2 float\n0 1\n" +
                                            scalars + "10 11 12 13 14 15 16 17 18 19 20 21\n"));
    add("binary.vtk", legacy_vtk("BINARY",
                          straight +
                              "X_COORDINATES 3 unsigned_char\n\1\2\3\nY_COORDINATES 2 unsigned_char\n\1\2\n"
                              "Z_COORDINATES 2 unsigned_char\n\1\2\n" +
                              scalars + std::string(48, '\1') + "\n"));
    add("points.vtk", legacy_vtk("ASCII", "STRUCTURED_POINTS\nDIMENSIONS 2 2 1\nORIGIN 0 0 0\nSPACING 1 1 1\n"
                                          "POINT_DATA 4\nVECTORS v double\n1 2 3 4 5 6 7 8 9 10 11 12\n"
                                          "FIELD more 1\nf 1 4 int\n1 2 3 4\n"));
    add("metadata.vtk",
        legacy_vtk("ASCII",
            "STRUCTURED_POINTS\nEXTENT 1 2 0 1 0 0\nPOINT_DATA 4\nFIELD more 2\nid 1 4 vtkIdType\n"
            "1 2 3 4\nMETADATA\nCOMPONENT_NAMES\nnumber\nINFORMATION 1\nNAME A LOCATION B\nDATA 1 "
            "2\n\nb 1 4 bit\n1 0 1 0\n"));
    add("bits.vtk", legacy_vtk("BINARY", "STRUCTURED_POINTS\nDIMENSIONS 2 2 2\nFIELD of 1\nname 1 1 string\n"
                                         "\xc3one\nPOINT_DATA 8\nFIELD of 1\nb 1 8 bit\n\xa5\n"));
    add("bent.vtk",
        legacy_vtk("ASCII", "STRUCTURED_GRID\nDIMENSIONS 2 2 1\nPOINTS 4 float\n0 0 0 1 0 0 0 1 0 2 2 0\n"
                            "CELL_DATA 1\nSCALARS c short\nLOOKUP_TABLE default\n7\n"));
    std::string const image =
        "WholeExtent=\"0 1 0 0 0 1\" Origin=\"0 0 0\" Spacing=\"1 1 1\"><Piece Extent=\"0 1 0 0 0 1\">";
    std::string const foot = "</PointData></Piece></ImageData>";
    add("text.vti",
        in_xml("ImageData", image, "format=\"ascii\">10 11 12 13</DataArray>") + foot + "</VTKFile>\n");
    add("raw.vti", in_xml("ImageData", image, "format=\"appended\" offset=\"0\"/>") + foot +
                       "<AppendedData encoding=\"raw\">_" + little_endian(16, 4) + counted<std::int32_t>(4) +
                       "</AppendedData></VTKFile>\n");
    for (auto const& [name, format] :
        {std::pair{"1.nc", 0}, std::pair{"2.nc", NC_64BIT_OFFSET}, std::pair{"5.nc", NC_64BIT_DATA}})
        add(name, netcdf(folder / "made.nc", format), {.variable = "v"});
    for (auto const& [name, values] :
        {std::pair{"3.nii", nifti(4, 16, 12)}, std::pair{"float.nii", nifti(16, 32, 6)}}) {
        add(name, values);
        add(std::string(name) + ".gz", gzip(values));
    }
    add("strips.tif", tiff(folder / "made.tif", {8, COMPRESSION_NONE, false}));
    add("lzw.tif", tiff(folder / "made.tif", {16, COMPRESSION_LZW, false}));
    add("tiles.tif", tiff(folder / "made.tif", {32, COMPRESSION_ADOBE_DEFLATE, true}));
    add("imagej.tif", imagej_stack(std::vector<std::uint16_t>(12, 0x0101)));
    add("bits.tif", tiff(folder / "made.tif", {1, COMPRESSION_NONE, false}));
    add("grey.png", png(folder / "made.png", PNG_FORMAT_GRAY));
    add("deep.png", png(folder / "made.png", PNG_FORMAT_LINEAR_Y));
    add("colours.png", png(folder / "made.png", PNG_FORMAT_RGBA), {.channel = "green"});
    add("plain.h5", hdf5(folder / "made.h5"), {.variable = "/a"});
    add("packed.h5", hdf5(folder / "made.h5"), {.variable = "/b"});
    add("c.npy", npy("<i2", "(2, 3, 4)", false, counted<std::int16_t>(24)));
    add("half.npy", npy(">f2", "(2, 3, 4)", false, counted<std::int16_t>(24)));
    add("f.npy", npy(">f8", "(2, 3, 4)", true, counted<double>(24)));
}

void add_graphs(std::vector<seed_file>& seeds) {
    auto const add = [&](std::string name, std::string content, bool tells_its_end) {
        seeds.push_back({std::move(name), std::move(content), readers::of_graphs, {}, tells_its_end});
    };
    std::string const matrix =
        "%%MatrixMarket matrix coordinate real general\n% why\n4 5 4\n1 2 0.5\n3 4 -1e3\n4 4 7\n2 1 1\n";
    add("real.mtx", matrix, true);
    add("pattern.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n4 4 3\n2 1\n3 3\n4 1\n", true);
    add("ring.graph", "4 4\n2 4\n1 3\n2 4\n3 1\n", true);
    add("weights.graph", "3 2 011 1\n5 2 7\n6 1 7 3 8\n7 2 8\n", true);
    add("roads.gr", "c roads\np sp 3 3\na 1 2 5\na 2 3 6\na 3 1 7\n", true);
    add("pace.gr", "p tw 4 3\n1 2\n2 3\n3 4\n", true);
    add("colours.col", "p edge 3 2\ne 1 2\ne 2 3\n", true);
    add("numbers.txt", "# a list\n1 2\n-5 9223372036854775807\n3 3\n", false);
    add("names.txt", "alice bob 1.5\nbob \xc3\xa9ve 2\n7 8 1e-3\n", false);
    add("table.csv", "source,target,weight\n\"a,b\",c,1\nc,\"d\"\"e\",2.5\n", false);
    add("cities.tsv", "# a list\nNew York\tSan Jose\t1.5\nSan Jose\tRome\t2\n", false);
    add("minutes.csv", "from,to,minutes\nRome,Milan,180\nMilan,Turin,60\n", false);
    add("zeros.mtx", "%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 2\n2 1 5\n3 3 0\n", true);
    add("bars.csv", "1|2\n3|4\n", false);
    add("small.graphml",
        "<?xml version=\"1.0\"?><graphml><key id=\"w\" for=\"edge\" attr.name=\"weight\" "
        "attr.type=\"double\"><default>2</default></key><graph edgedefault=\"undirected\">"
        "<node id=\"a\"/><node id=\"b\"/><edge source=\"a\" target=\"b\"><data key=\"w\">3</data></edge>"
        "</graph></graphml>\n",
        true);
    add("edges.npy", npy("<i4", "(3, 2)", false, counted<std::int32_t>(6)), true);
    add("weighted.npy", npy("<f8", "(2, 3)", true, counted<double>(6)), true);
    add("labels.wgraph", binary_graph(), true);
    add("real.mtx.gz", gzip(matrix, 40), true);
    add("real.mtx.bz2", bzip2(matrix, 40), true);
    add("real.mtx.xz", xz(matrix, 40), true);
    add("real.mtx.zst", zstd(matrix, 40), true);
}

std::string gadget(bool has_names) {
    auto const block = [&](std::string const& name, std::string const& bytes) {
        std::string const length = little_endian(bytes.size(), 4);
        std::string const label =
            little_endian(8, 4) + name + little_endian(bytes.size() + 8, 4) + little_endian(8, 4);
        return (has_names ? label : "") + length + bytes + length;
    };
    std::string head(256, '\0');
    auto const put = [&](std::size_t at, auto value) { std::memcpy(head.data() + at, &value, sizeof value); };
    put(0, std::int32_t{1}); // gas, with masses in their block
    put(4, std::int32_t{2}); // halo, of 2.5 each
    put(32, 2.5);
    put(124, std::int32_t{1});
    return block("HEAD", head) + block("POS ", counted<float>(9)) + block("VEL ", counted<float>(9)) +
           block("ID  ", counted<std::int32_t>(3)) + block("MASS", counted<float>(1));
}

std::string tipsy(std::size_t head_bytes) {
    std::string head(head_bytes, '\0');
    std::int32_t const counts[5] = {3, 3, 1, 1, 1};
    std::memcpy(head.data() + 8, counts, sizeof counts);
    return head + counted<float>(12) + counted<float>(9) + counted<float>(11);
}

std::string checkpoint() {
    weft::particle one;
    one.mass = 1;
    std::string const particle(reinterpret_cast<char const*>(&one), sizeof one);
    return "WEFTNBO1" + little_endian(2, 8) + counted<double>(1) + little_endian(3, 8) + counted<double>(2) +
           little_endian(0x0102030405060708, 8) + particle + particle;
}

void add_particles(std::vector<seed_file>& seeds) {
    auto const add = [&](std::string name, std::string content, bool tells_its_end = true) {
        seeds.push_back({std::move(name), std::move(content), readers::of_particles, {}, tells_its_end});
    };
    add("one.gadget", gadget(false));
    add("two.gadget", gadget(true));
    add("stars.tipsy", tipsy(32));
    add("short.tipsy", tipsy(28));
    add("later.wnb", checkpoint());
    add("places.npy", npy("<f4", "(4, 3)", false, counted<float>(12)));
    add("places.csv", "# why\nid,x,y,z,mass\n1,0,0.5,-1e3,2\n2,7,8,9,0\n", false);
}

void add_meshes(std::vector<seed_file>& seeds) {
    for (gmsh_format const& how : all_gmsh_formats())
        seeds.push_back({std::string(how.old          ? "old"
                                     : how.first_of_4 ? "first"
                                                      : "new") +
                             (how.binary ? "_binary" : "_text") + (how.swapped ? "_swapped.msh" : ".msh"),
            gmsh_text(how), readers::of_meshes});
    seeds.push_back({"cells.xdmf", xdmf_text(), readers::of_meshes});
    seeds.push_back({"curved.xdmf",
        xdmf_grid_of(xdmf_geometry() + "<Topology TopologyType=\"Wedge_15\" BaseOffset=\"1\">" +
                     xdmf_item_of("1 15", "1 2 3 4 5 6 7 8 9 10 11 12 1 2 3") + "</Topology>" +
                     "<Attribute Name=\"heat\" Center=\"Node\">" +
                     xdmf_item_of("12", "0 1 2 3 4 5 6 7 8 9 10 11") +
                     "</Attribute><Attribute Name=\"wind\" Center=\"Cell\">" + xdmf_item_of("1", "5") +
                     "</Attribute>"),
        readers::of_meshes});
    std::vector<std::array<int, 3>> const blocks{{3, 2, 2}, {2, 2, 2}};
    int number = 0;
    for (plot3d_writer const& how : {plot3d_writer{.counted = true}, {.records = true, .counted = true},
             {.swapped = true, .records = true, .counted = true, .doubles = true, .blanked = true}}) {
        std::string const name = std::to_string(++number);
        std::string const grid = plot3d_grid(how, blocks, 1);
        std::string const solution = plot3d_solution(how, blocks);
        seeds.push_back({"grid" + name + ".xyz", grid, readers::of_block_grids, {}, true, solution});
        seeds.push_back({"solution" + name + ".q", solution, readers::of_solutions, {}, true, grid});
    }
}

/// A format without a seed would never be tried.
void expect_seeds_of_all_grids(std::vector<seed_file> const& seeds) {
    for (weft::grid_format const& format : weft::grid_formats()) {
        auto const is_of_it = [&](seed_file const& each) {
            return weft::grid_format_of(each.name) == &format;
        };
        if (format.open && std::ranges::none_of(seeds, is_of_it))
            throw std::runtime_error("no seed is a file of " + std::string(format.name));
    }
}

} // namespace

std::vector<seed_file> make_seeds(std::filesystem::path const& folder) {
    std::vector<seed_file> seeds;
    add_grids(folder, seeds);
    expect_seeds_of_all_grids(seeds);
    add_graphs(seeds);
    add_particles(seeds);
    add_meshes(seeds);
    return seeds;
}

} // namespace weft_test
