#!/usr/bin/env bash
# The main job on real input: `make demo` builds the command and calls this.
set -euo pipefail
cd "$(dirname "$0")/.."
weft=${1:-build/release/tools/weft}
ranks=4
mesh=/usr/share/doc/libmetis-dev/examples/graphs/mdual.graph
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LC_ALL=${LC_ALL:-C.UTF-8}

show() {
    printf '\n\033[1m$ weft'
    printf ' %s' "$@"
    printf '\033[0m\n'
    "$weft" "$@"
}

if [ ! -r "$mesh" ]; then
    # Images without documentation leave it out when they install the package.
    echo "demo: $mesh is missing; a random graph of the same size takes its place" >&2
    mesh=$work/erdos-renyi.txt
    "$weft" -n $ranks generate erdos-renyi --vertices 258569 --average-degree 4 --out "$mesh" --quiet
fi
rmat=$work/rmat18.txt
show -n $ranks generate rmat --scale 18 --out "$rmat"
show -n $ranks components "$mesh" --labels "$work/labels.txt"
show -n $ranks degrees "$mesh"
show -n $ranks components "$rmat"
show -n $ranks degrees "$rmat"
echo "The first labels of the mesh, \`vertex component\`:"
head -n 3 "$work/labels.txt"

winds=/usr/share/ferret-vis/data/monthly_navy_winds.cdf
pictures=build/demo
mkdir -p "$pictures"
if [ -r "$winds" ]; then
    show -n $ranks trace "$winds" --variable UWND,VWND, --steps 0,1 --seeds plane:z=0,60,30 --max-steps 300 \
        --image "$pictures/winds.png" --timeline "$pictures/winds.html"
    echo "Winds of January 1982 over all longitudes and latitudes: $pictures/winds.png"
    echo "What each rank did meanwhile: $pictures/winds.html, for a browser"
else
    show -n $ranks trace --synthetic fast=10,slow=1,n=64 --image "$pictures/flow.png" --timeline "$pictures/flow.html"
    echo "Particles of the flow: $pictures/flow.png; what each rank did: $pictures/flow.html, for a browser"
fi

# A head, as data of a Python package: the mean of 152 people, without skin and skull.
package=nilearn==0.12.1
head=mni_icbm152_t1_tal_nlin_sym_09a_converted.nii.gz
kept=build/demo/data
if [ ! -r "$kept/$head" ]; then
    mkdir -p "$kept"
    if timeout 120 scripts/python_with pip -- -m pip download --quiet --no-deps --dest "$work" "$package" 2> "$work/pip.txt"; then
        scripts/python_with zipfile -- - "$work"/nilearn-*.whl "nilearn/datasets/data/$head" "$kept/$head" << 'END'
import os, sys, zipfile
wheel, member, target = sys.argv[1:]
with open(target + ".part", "wb") as file:
    file.write(zipfile.ZipFile(wheel).read(member))
os.replace(target + ".part", target)
END
    fi
fi
if [ -r "$kept/$head" ]; then
    show -n $ranks histogram "$kept/$head" --bins 32 --range 1,255
    show -n $ranks render "$kept/$head" --transfer tissue --shade --view 150,20 --zoom 1.6 --size 600,600 \
        --image "$pictures/head.png"
    echo "The mean of 152 brains: $pictures/head.png"
else
    echo "demo: $package could not be downloaded, so there is no picture of a head: $(tail -n 1 "$work/pip.txt")" >&2
fi

files=build/demo/files
scripts/python_with zipfile -- scripts/sample_files.py "$weft" "$files" "$kept/$head"
echo "The files that README.md and docs/ name, so that you can try each command line there: $files"
