"""The table that `weft-bench --csv` writes, for what is measured from Python."""
import csv


def write(file, rows):
    with open(file, "w", newline="") as out:
        writer = csv.writer(out)
        writer.writerow("bench,case,subject,ranks,bytes,degree,median_s,min_s,rate,unit".split(","))
        writer.writerows(rows)
