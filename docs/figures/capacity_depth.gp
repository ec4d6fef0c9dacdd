# gnuplot -e "data='sweep.csv'" docs/figures/capacity_depth.gp > docs/figures/capacity_depth.svg
# Embedding dimension against hops: what each construction takes and what no model can go below.
set datafile separator ","
set terminal svg size 900,560 font "Helvetica,15" enhanced background "#ffffff"
set encoding utf8

set title "{/*1.25 k hops at once need a dimension like R^{k}, or the facts in the MLP}" offset 0,0.6
set label 1 "N = 4096 entities, R = 4 relations (bijections), every coordinate holds one bit" at graph 0,1.035 textcolor rgb "#666666" font ",14"
set xlabel "hops k" offset 0,0.3
set ylabel "embedding dimension d" offset -1,0
set logscale y 10
set format y "10^{%T}"
set xrange [0.8:10.6]
set yrange [10:3e6]
set xtics 1,1,8 nomirror
set ytics nomirror
set border 3 linecolor rgb "#888888"
set tics textcolor rgb "#444444"
set mytics 1
set grid ytics linecolor rgb "#e6e6e6" linetype 1
set grid noxtics
unset key
set lmargin 11
set rmargin 3

tree = "#c44e52"; bound = "#222222"; lookup = "#4c72b0"; thought = "#55a868"

set label 2 "tree" at 8.2,9.4e5 textcolor rgb tree font ",16"
set label 3 "R^k ⌈log_2 N⌉ + kR" at 8.2,5.4e5 textcolor rgb tree font ",13"
set label 4 "least with" at 8.2,2.1e5 textcolor rgb bound font ",16"
set label 5 "nothing shared" at 8.2,1.25e5 textcolor rgb bound font ",16"
set label 6 "chain of thought" at 8.2,118 textcolor rgb thought font ",16"
set label 7 "k passes, no facts in the MLP" at 8.2,73 textcolor rgb thought font ",13"
set label 8 "lookup" at 8.2,38 textcolor rgb lookup font ",16"
set label 9 "k layers of N R units" at 8.2,23.5 textcolor rgb lookup font ",13"
set label 10 "impossible for one pass whose MLP\nknows no fact, whatever its shape" at 6.4,1.6e3 center textcolor rgb "#888888" font ",14" front
set label 11 "from here the whole graph\nfits into every subject" at 6.55,6.5e5 right textcolor rgb "#888888" font ",13"
set arrow 1 from 6.6,5.5e5 to 6.95,2.15e5 head filled size 0.08,20 linecolor rgb "#aaaaaa"

set datafile missing NaN
of(name) = strcol(5) eq name ? column(3) : NaN

plot \
  data using (of("one subject with nothing shared")):6 with filledcurves y1=10 fillcolor rgb "#f3f3f3", \
  data using (of("tree")):6 with linespoints linewidth 2.5 pointtype 7 pointsize 0.7 linecolor rgb tree, \
  data using (of("one subject with nothing shared")):6 with lines linewidth 2.5 dashtype (8, 5) linecolor rgb bound, \
  data using ($3 == 1 ? of("tree") : of("chain of thought")):6 \
    with linespoints linewidth 2.5 pointtype 7 pointsize 0.7 linecolor rgb thought, \
  data using (of("lookup")):6 with linespoints linewidth 2.5 pointtype 7 pointsize 0.7 linecolor rgb lookup
