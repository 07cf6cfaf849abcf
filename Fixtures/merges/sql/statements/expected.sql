BEGIN;
INSERT INTO "boats" VALUES (1,'Anne',1);
INSERT INTO "boats" VALUES (2,'Mira',now());
INSERT INTO "boats" VALUES (3,'Tom',3);
INSERT INTO "boats" VALUES (4,'Ida',4);
COMMIT;
