# gnuplot docs/figures/thresholds.gp > docs/figures/thresholds.svg
# The least width that learns 99 % of the facts, against N, by what is trained. Data: docs/figures/thresholds.csv.
set datafile separator ","
set terminal svg size 900,520 font "Helvetica,15" enhanced background "#ffffff"
set encoding utf8
set title "{/*1.25 Frozen embeddings need a width like a power of N, trained ones far less}" offset 0,0.6
set label 1 "R = 4 relations, random bijections, 99 % recall on both of two seeds" at graph 0,1.035 textcolor rgb "#666666" font ",14"
set xlabel "entities N" offset 0,0.3
set ylabel "least width d*" offset -1,0
set logscale xy 2
set xrange [110:12000]
set yrange [4:170]
set xtics (128, 256, 512, 1024, 2048, 4096) nomirror
set ytics (4, 8, 16, 32, 64, 128) nomirror
set border 3 linecolor rgb "#888888"
set tics textcolor rgb "#444444"
set grid ytics linecolor rgb "#e6e6e6" linetype 1
unset key
set lmargin 10
set rmargin 3
eu = "#55a868"; fu = "#4c72b0"; feu = "#c44e52"
set label 2 "E and U frozen" at 4400,129 textcolor rgb feu font ",16"
set label 3 "U frozen" at 4400,37 textcolor rgb fu font ",16"
set label 4 "E and U trained" at 4400,11 textcolor rgb eu font ",16"
set datafile missing NaN
plot for [v in "EU fU fEU"] "docs/figures/thresholds.csv" using 5:(strcol(1) eq v && column(4) == 4 ? column(6) : NaN) \
  with linespoints linewidth 2.5 pointtype 7 pointsize 0.8 linecolor rgb (v eq "EU" ? eu : v eq "fU" ? fu : feu)
