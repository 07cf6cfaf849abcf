BEGIN;
INSERT INTO "boats" VALUES (1,'Anne',NULL);
INSERT INTO "boats" VALUES (2,'Mira',now());
INSERT INTO "boats" VALUES (4,'Ida',4);
COMMIT;
