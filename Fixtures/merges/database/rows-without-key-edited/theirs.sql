UPDATE log SET what = 'coffee' WHERE rowid = 2;
