-- The store as it was written by schema 2, the first that is upgraded, with rows in every table.
-- Its key is the 32 bytes `a key for a fixture of tests 32b`, the password of everybody `demo`, and its time
-- 1790000000000 ms since the epoch. It stays as it is: what changes is upgraded from here.
PRAGMA user_version = 2;
BEGIN TRANSACTION;
CREATE TABLE agents (
	"key" TEXT NOT NULL,
	available BOOLEAN NOT NULL,
	chats INTEGER NOT NULL,
	talks INTEGER NOT NULL,
	body TEXT NOT NULL,
	PRIMARY KEY ("key")
);
INSERT INTO "agents" VALUES('ana',1,1,0,'{"id":"ana","displayName":"Ana Belmonte","activity":"available","online":true,"channels":{"chat":[{"chatId":"chat-1","timestamp":1789999531868,"users":["svc-user:pat"]}],"voice":[],"c2c":[]}}');
INSERT INTO "agents" VALUES('bob',1,0,0,'{"id":"bob","displayName":"Bob Whitaker","activity":"available","online":true,"channels":{"chat":[],"voice":[],"c2c":[]}}');
INSERT INTO "agents" VALUES('carla',1,0,0,'{"id":"carla","displayName":"Carla Figueiredo","activity":"available","online":true,"channels":{"chat":[],"voice":[],"c2c":[]}}');
CREATE TABLE alarms (
	"key" TEXT NOT NULL,
	call TEXT,
	raised INTEGER NOT NULL,
	body TEXT NOT NULL,
	PRIMARY KEY ("key")
);
INSERT INTO "alarms" VALUES('alarm-1','c100000',1789998621215,'{"id":"alarm-1","domain":"desk.example","urgency":"critical","type":"call","timestamp":1789998621215,"payload":{"callid":"c100000","value":{"ssrc":[{"id":"917620894","packetsSent":14048,"packetsLost":0,"bytesSent":2247680,"bytesReceived":0,"CodecName":"opus","packetesReceived":0},{"id":"592457503","packetsSent":0,"packetsLost":2810,"bytesSent":0,"bytesReceived":1798080,"CodecName":"opus","packetesReceived":11238}]},"alarm":{"id":"packet-loss","section":"ssrc","value":"packetsLost","cond":">","threshold":0.05,"relative":true}}}');
CREATE TABLE alerts (
	"key" TEXT NOT NULL,
	sender TEXT NOT NULL,
	receivers JSON NOT NULL,
	state TEXT NOT NULL,
	sent INTEGER NOT NULL,
	resolved INTEGER,
	due INTEGER,
	retries INTEGER NOT NULL,
	every INTEGER NOT NULL,
	expires INTEGER,
	body TEXT NOT NULL,
	PRIMARY KEY ("key")
);
INSERT INTO "alerts" VALUES('stuck','eva','["ana", "bob"]','active',1790000000000,NULL,NULL,0,0,30000,'{"alertId":"stuck","from":"eva","title":"Fire","payload":"Out!","createdAt":1790000000000,"state":"active","templateId":"once","retriesLeft":0,"expiresAt":1790000030000}');
INSERT INTO "alerts" VALUES('repeated','eva','["ana"]','active',1790000000000,NULL,1790000060000,2,60000,30000,'{"alertId":"repeated","from":"eva","title":"Smoke","payload":"Look!","createdAt":1790000000000,"state":"active","templateId":"twice","retriesLeft":2,"nextRetryAt":1790000060000,"expiresAt":1790000150000}');
INSERT INTO "alerts" VALUES('taken','eva','["ana"]','accepted',1790000000000,1790000000000,NULL,2,60000,30000,'{"alertId":"taken","from":"eva","title":"Smoke","payload":"Look!","createdAt":1790000000000,"resolvedAt":1790000000000,"acceptedBy":"ana","state":"accepted","templateId":"twice","retriesLeft":2}');
CREATE TABLE call_dates (
	id INTEGER NOT NULL,
	date INTEGER NOT NULL,
	PRIMARY KEY (id)
);
INSERT INTO "call_dates" VALUES(1,1789998375879);
INSERT INTO "call_dates" VALUES(2,1789997431961);
INSERT INTO "call_dates" VALUES(3,1789998422365);
CREATE TABLE caller_ids (
	name TEXT NOT NULL,
	value TEXT NOT NULL,
	PRIMARY KEY (name)
);
INSERT INTO "caller_ids" VALUES('Front desk','+34910600600');
CREATE TABLE calls (
	"key" TEXT NOT NULL,
	date INTEGER NOT NULL,
	from_ INTEGER,
	"to" INTEGER,
	caller TEXT,
	callee TEXT,
	target TEXT,
	state TEXT,
	queueposition FLOAT,
	people JSON NOT NULL,
	body TEXT NOT NULL,
	PRIMARY KEY ("key")
);
INSERT INTO "calls" VALUES('c100000',1789998375879,1789998375879,1789998621215,'+34985329097','svc-user:eva',NULL,'ended',NULL,'["+34985329097", "svc-user:eva"]','{"id":"c100000","caller":"+34985329097","calle":"svc-user:eva","users":["eva"],"sessions":[],"date":1789998375879,"from":1789998375879,"to":1789998621215,"state":"ended","data":{"reason":"callee hung up"},"attempts":[{"address":"svc-user:eva","from":1789998375879,"to":1789998621215,"state":"ended","reason":"callee hung up","answeredAt":1789998400879}]}');
INSERT INTO "calls" VALUES('c100001',1789997431961,1789997431961,1789997467651,'+34985470990','svc-user:carla',NULL,'ended',NULL,'["+34985470990", "svc-user:carla"]','{"id":"c100001","caller":"+34985470990","calle":"svc-user:carla","users":["carla"],"sessions":[],"date":1789997431961,"from":1789997431961,"to":1789997467651,"state":"ended","data":{"reason":"callee hung up","recording":{"active":false,"filename":"call-c100001.wav","startedAt":1789997435961,"startedBy":"carla","stoppedAt":1789997467651}},"attempts":[{"address":"svc-user:carla","from":1789997431961,"to":1789997467651,"state":"ended","reason":"callee hung up","answeredAt":1789997435961}]}');
INSERT INTO "calls" VALUES('c100002',1789998422365,1789998422365,1789998478387,'+34936956763','svc-user:carla',NULL,'ended',NULL,'["+34936956763", "svc-user:carla"]','{"id":"c100002","caller":"+34936956763","calle":"svc-user:carla","users":["carla"],"sessions":[],"date":1789998422365,"from":1789998422365,"to":1789998478387,"state":"ended","data":{"reason":"callee hung up"},"attempts":[{"address":"svc-user:carla","from":1789998422365,"to":1789998478387,"state":"ended","reason":"callee hung up","answeredAt":1789998439365}]}');
CREATE TABLE chat_push_nodes (
	node TEXT NOT NULL,
	user TEXT NOT NULL,
	type TEXT NOT NULL,
	token TEXT NOT NULL,
	secret TEXT NOT NULL,
	PRIMARY KEY (node)
);
INSERT INTO "chat_push_nodes" VALUES('node-1','ana','fcm','chat-token','CC5gy8cl6lZCFJ9FnFTvBZkYp4yYy4P6Z7sCYCnbqO5M8R3dfBQ6Z9l0aGhoUs19J0K/3LLe/aMHgXSB');
CREATE TABLE chats (
	"key" TEXT NOT NULL,
	agent TEXT,
	people JSON NOT NULL,
	began INTEGER NOT NULL,
	body TEXT NOT NULL,
	PRIMARY KEY ("key")
);
INSERT INTO "chats" VALUES('chat-1','ana','["pat"]',1789999531868,'{"chatId":"chat-1","chatRoomJid":"chat-1@rooms.desk.example","agent":{"id":"ana","username":"ana","domain":"desk.example"},"participants":[{"id":"pat","username":"pat","domain":"desk.example"}],"context":{"subject":"Noise on the line","language":"en"}}');
CREATE TABLE conferences (
	"key" TEXT NOT NULL,
	created INTEGER NOT NULL,
	finished INTEGER,
	state TEXT,
	room TEXT,
	people JSON NOT NULL,
	told JSON NOT NULL,
	body TEXT NOT NULL,
	PRIMARY KEY ("key")
);
INSERT INTO "conferences" VALUES('conf-1',1789999064137,NULL,'active','room-conf-1','["svc-user:carla", "svc-user:eva", "svc-user:bob", "svc-user:ana", "svc-user:pat", "svc-user:u1005"]','[]','{"id":"conf-1","roomId":"room-conf-1","state":"active","createdAt":1789999064137,"invites":[{"from":"svc-user:carla","to":"svc-user:eva","state":"accepted","group":false,"inviteRequest":false,"mediatypes":{"audio":true,"video":false},"candidates":[{"address":"svc-user:eva","endReason":200}]},{"from":"svc-user:carla","to":"svc-user:bob","state":"accepted","group":false,"inviteRequest":false,"mediatypes":{"audio":true,"video":false},"candidates":[{"address":"svc-user:bob","endReason":200}]},{"from":"svc-user:carla","to":"svc-user:pat","state":"failed","group":false,"inviteRequest":false,"error":486,"mediatypes":{"audio":true,"video":false},"candidates":[{"address":"svc-user:pat","endReason":486},{"address":"+34661926835","endReason":408}]},{"from":"svc-user:carla","to":"svc-user:u1005","state":"rejected","group":false,"inviteRequest":false,"error":603,"mediatypes":{"audio":true,"video":false},"candidates":[{"address":"svc-user:u1005","endReason":603}]},{"from":"svc-user:carla","to":"svc-user:ana","state":"accepted","group":true,"inviteRequest":false,"mediatypes":{"audio":true,"video":false},"candidates":[{"address":"svc-user:ana","endReason":200}]}],"participants":[{"address":"svc-user:carla","createdAt":1789999064137},{"address":"svc-user:eva","createdAt":1789999434539,"finishedAt":1789999660949},{"address":"svc-user:bob","createdAt":1789999150625,"finishedAt":1789999897490},{"address":"svc-user:ana","createdAt":1789999083096,"finishedAt":1789999574905}],"transfers":[{"from":"svc-user:eva","to":"svc-user:bob","state":"pending","roomId":"conf-1-b","idInvite":"conf-1-i5"}],"domains":["desk.example"]}');
CREATE TABLE contacts (
	"key" TEXT NOT NULL,
	source TEXT NOT NULL,
	user TEXT,
	domain TEXT,
	name TEXT NOT NULL,
	favorite BOOLEAN NOT NULL,
	device TEXT,
	device_key TEXT,
	body TEXT NOT NULL,
	PRIMARY KEY ("key")
);
INSERT INTO "contacts" VALUES('contact-ana-1','local','ana',NULL,'Alba Lozano',0,NULL,NULL,'{"id":"contact-ana-1","source":"local","user":"ana","name":"Alba Lozano","favorite":false,"phones":[{"name":"mobile","address":"+34670135858"}],"unnormalizedPhones":[],"emails":[{"name":"work","address":"alba.lozano@desk.example"}],"participants":[]}');
INSERT INTO "contacts" VALUES('contact-ana-g','group','ana',NULL,'Around Vigo',0,NULL,NULL,'{"id":"contact-ana-g","source":"group","user":"ana","name":"Around Vigo","phones":[],"unnormalizedPhones":[],"emails":[],"participants":[{"name":"Carla Figueiredo","address":"svc-user:carla"},{"name":"Sergio Serrano","address":"svc-user:u1005"},{"name":"Eva Salazar","address":"svc-user:eva"},{"name":"Ana Belmonte","address":"svc-user:ana"}]}');
CREATE TABLE credentials (
	"key" TEXT NOT NULL,
	short TEXT NOT NULL,
	user TEXT NOT NULL,
	type TEXT NOT NULL,
	username TEXT,
	expires INTEGER,
	hash TEXT,
	sealed TEXT,
	body TEXT NOT NULL,
	PRIMARY KEY ("key"),
	UNIQUE (short)
);
INSERT INTO "credentials" VALUES('eva@local','eva','eva','basic','eva',NULL,'$argon2id$v=19$m=64,t=1,p=1$xbmAPMOOBsDYG4513Qt5IQ$igzMlMic6n5TDCZCiUFYZJEOC+N5NjzdCT3dXI+Gn70',NULL,'{"id":"eva@local","source":"local","type":"basic","domain":"desk.example","user":"eva","data":{"username":"eva"},"lease":0}');
INSERT INTO "credentials" VALUES('ana@local','ana','ana','basic','ana',NULL,'$argon2id$v=19$m=64,t=1,p=1$xbmAPMOOBsDYG4513Qt5IQ$igzMlMic6n5TDCZCiUFYZJEOC+N5NjzdCT3dXI+Gn70',NULL,'{"id":"ana@local","source":"local","type":"basic","domain":"desk.example","user":"ana","data":{"username":"ana"},"lease":0}');
INSERT INTO "credentials" VALUES('bob@local','bob','bob','basic','bob',NULL,'$argon2id$v=19$m=64,t=1,p=1$xbmAPMOOBsDYG4513Qt5IQ$igzMlMic6n5TDCZCiUFYZJEOC+N5NjzdCT3dXI+Gn70',NULL,'{"id":"bob@local","source":"local","type":"basic","domain":"desk.example","user":"bob","data":{"username":"bob"},"lease":0}');
INSERT INTO "credentials" VALUES('carla@local','carla','carla','basic','carla',NULL,'$argon2id$v=19$m=64,t=1,p=1$xbmAPMOOBsDYG4513Qt5IQ$igzMlMic6n5TDCZCiUFYZJEOC+N5NjzdCT3dXI+Gn70',NULL,'{"id":"carla@local","source":"local","type":"basic","domain":"desk.example","user":"carla","data":{"username":"carla"},"lease":0}');
INSERT INTO "credentials" VALUES('pat@local','pat','pat','basic','pat',NULL,'$argon2id$v=19$m=64,t=1,p=1$xbmAPMOOBsDYG4513Qt5IQ$igzMlMic6n5TDCZCiUFYZJEOC+N5NjzdCT3dXI+Gn70',NULL,'{"id":"pat@local","source":"local","type":"basic","domain":"desk.example","user":"pat","data":{"username":"pat"},"lease":0}');
INSERT INTO "credentials" VALUES('eva-oauth2@cloud','eva-oauth2','eva','oauth2',NULL,NULL,NULL,'f7PSSge98edYckMVgncnISZtfJCT8sy/lySiiBWPAh3zRY4F2x5iTkQnKl/smMnqCHQKtRNzLEczxoR9BePc24YoCjZSd1+IzdjiX5jPgltu','{"id":"eva-oauth2@cloud","source":"cloud","type":"oauth2","domain":"desk.example","user":"eva","data":{"provider":"cloud","subject":"eva@desk.example"},"lease":0}');
INSERT INTO "credentials" VALUES('ana-svc-ims@gateway','ana-svc-ims','ana','svc-ims','ana-phone',NULL,NULL,'frdvsZlLPo6UEqdg73Igk4ixHU53gDLPog4T5UjgFWqvrGHEny/HQgjIDJsQeSe2EtE6R403eE30aDUFtIm40ryjiBi2Wb2xp2QHmh0=','{"id":"ana-svc-ims@gateway","source":"gateway","type":"svc-ims","domain":"desk.example","user":"ana","data":{"username":"ana-phone","realm":"desk.example"},"lease":0}');
INSERT INTO "credentials" VALUES('ana-oauth2@cloud','ana-oauth2','ana','oauth2',NULL,NULL,NULL,'hFfT94bJp72Wy4/OEpq7eALGSUffTDr9d0gWonnQeaEx7TQe7nD156SOzCAP+3dhje3jiYt9IOo0oG3C7ipAofppsPSoxO7kZxIueo4G286t','{"id":"ana-oauth2@cloud","source":"cloud","type":"oauth2","domain":"desk.example","user":"ana","data":{"provider":"cloud","subject":"ana@desk.example"},"lease":0}');
INSERT INTO "credentials" VALUES('bob-svc-ims@gateway','bob-svc-ims','bob','svc-ims','bob-phone',NULL,NULL,'qvTr5ET1i+ZjHpW50KoOxZkzNqWCdtLDg3bqZUj9m8TGcrnthg8iIVLlkSvkfaONlvhObHrSh0xUpQaAEHHM+BSt7WrDr0GRiUs8ilI=','{"id":"bob-svc-ims@gateway","source":"gateway","type":"svc-ims","domain":"desk.example","user":"bob","data":{"username":"bob-phone","realm":"desk.example"},"lease":0}');
INSERT INTO "credentials" VALUES('carla-svc-ims@gateway','carla-svc-ims','carla','svc-ims','carla-phone',NULL,NULL,'lwflqvqiw4t9C02lQOiKQzjLzv7H90Fq4GpyYjsdglaWym/DK0+DRgv25MxqLSsrbfLtL8BffOylyppjLp9dvIweEyBa49ut/sIonLA=','{"id":"carla-svc-ims@gateway","source":"gateway","type":"svc-ims","domain":"desk.example","user":"carla","data":{"username":"carla-phone","realm":"desk.example"},"lease":0}');
INSERT INTO "credentials" VALUES('pat-oauth2@cloud','pat-oauth2','pat','oauth2',NULL,NULL,NULL,'W58/78u4zCzlR0GQtZY0eKjSKusDvsEhxFu0n1jlP4Z6fFEds9fL1nGQHLGhnyc4MkrGUCZ2JDHcmQvgXh+Z153MN/QK+77Vbteeir143Y6e','{"id":"pat-oauth2@cloud","source":"cloud","type":"oauth2","domain":"desk.example","user":"pat","data":{"provider":"cloud","subject":"pat@desk.example"},"lease":0}');
CREATE TABLE datapipes (
	"key" TEXT NOT NULL,
	participants JSON NOT NULL,
	finished BOOLEAN NOT NULL,
	sessions JSON NOT NULL,
	touched INTEGER NOT NULL,
	body TEXT NOT NULL,
	PRIMARY KEY ("key")
);
INSERT INTO "datapipes" VALUES('bce948973e8abe7d','["svc-user:ana", "svc-user:bob"]',0,'{"svc-user:ana": "75b74aeece26c428"}',1790000000000,'{"id":"bce948973e8abe7d","label":"notes","participants":["svc-user:ana","svc-user:bob"],"connected":["svc-user:ana"],"rejected":[],"data":[{"from":"svc-user:ana","data":"hello","at":1790000000000}]}');
CREATE TABLE deliveries (
	number INTEGER NOT NULL,
	at INTEGER NOT NULL,
	mechanism TEXT NOT NULL,
	recipient TEXT NOT NULL,
	kind TEXT NOT NULL,
	subject TEXT NOT NULL,
	content JSON NOT NULL,
	PRIMARY KEY (number)
);
INSERT INTO "deliveries" VALUES(1,1790000000000,'user','svc-user:ana','meeting created','aced8a28353fee34','{"roomId": "room-f786bcd4ef98a121", "name": "Standup", "validSince": 1790000000000, "validUntil": 1790003600000, "phone": "+34910600600", "ddi": {"extension": "596359", "pin": "8446"}, "locale": "es-ES"}');
INSERT INTO "deliveries" VALUES(2,1790000000000,'email','ana@desk.example','meeting created','aced8a28353fee34','{"roomId": "room-f786bcd4ef98a121", "name": "Standup", "validSince": 1790000000000, "validUntil": 1790003600000, "phone": "+34910600600", "ddi": {"extension": "596359", "pin": "8446"}, "locale": "es-ES"}');
INSERT INTO "deliveries" VALUES(3,1790000000000,'sms','+34651907690','phone code sent','bob','{"code": "87555156"}');
CREATE TABLE directory_credentials (
	"key" TEXT NOT NULL,
	sealed TEXT NOT NULL,
	body TEXT NOT NULL,
	PRIMARY KEY ("key")
);
INSERT INTO "directory_credentials" VALUES('desk.example','x/IzzOxi38uiZELactGF6Wf6s/Ady86kwOlks+8=','{"domain":"desk.example","clientId":"c","domainTenantId":"t"}');
CREATE TABLE domain_logouts (
	"key" TEXT NOT NULL,
	running BOOLEAN NOT NULL,
	spared TEXT NOT NULL,
	body TEXT NOT NULL,
	PRIMARY KEY ("key")
);
INSERT INTO "domain_logouts" VALUES('gone.example',0,'','{"id":"gone.example","domain":"gone.example","sessions":0,"ended":0,"started_at":1790000000000,"finished_at":1790000000000}');
CREATE TABLE domains (
	"key" TEXT NOT NULL,
	parent TEXT,
	body TEXT NOT NULL,
	PRIMARY KEY ("key")
);
INSERT INTO "domains" VALUES('guests',NULL,'{"id":"guests","domain":"guests","origins":[],"enableAnonymous":true,"anonymousExpiration":43200,"anonymousCapabilities":[],"services":{"login":[],"chat":[]}}');
INSERT INTO "domains" VALUES('desk.example',NULL,'{"id":"desk.example","domain":"desk.example","origins":["https://([a-z0-9-]+\\.)?desk\\.example(:[0-9]+)?"],"enableAnonymous":false,"anonymousExpiration":43200,"anonymousCapabilities":[],"services":{"stats":[],"alarms":[],"callcontrol":[],"chat":[],"contacts":[],"datapipe":[],"login":[],"log":[],"meetings":[],"presence":[],"recording":[],"settings":[]}}');
INSERT INTO "domains" VALUES('gone.example',NULL,'{"id":"gone.example","domain":"gone.example","origins":[],"enableAnonymous":false,"anonymousExpiration":43200,"anonymousCapabilities":[],"services":{"stats":[],"alarms":[],"callcontrol":[],"chat":[],"contacts":[],"datapipe":[],"login":[],"log":[],"meetings":[],"presence":[],"recording":[],"settings":[]}}');
CREATE TABLE ended_sessions (
	"key" TEXT NOT NULL,
	user TEXT NOT NULL,
	ended INTEGER NOT NULL,
	body TEXT NOT NULL,
	PRIMARY KEY ("key")
);
INSERT INTO "ended_sessions" VALUES('cedaa0146d178048','bob',1790000000000,'{"id":"cedaa0146d178048","user":"bob","userObj":{"id":"bob","username":"bob","domain":"desk.example","role":"user","capabilities":[],"mobilePhone":[],"alias":"Bob Whitaker"},"domain":"desk.example","from":1790000000000,"to":1790000000000,"expires":1790043200000}');
CREATE TABLE facts (
	name TEXT NOT NULL,
	value TEXT,
	PRIMARY KEY (name)
);
INSERT INTO "facts" VALUES('epoch','6e37960624d84e3e');
INSERT INTO "facts" VALUES('sealed proof','ZJ8n917K72+urrH1mZZBci4jf7qCvL67ujt722fm37ekv0dXVUfitb+FLeNYFWK1dwpImJ/Tj4qMX84QDP1SbWVac2H81c6OKkYpkEOsKQXhZCoYzb5XrhflLe1H+No=');
INSERT INTO "facts" VALUES('cursor key','48cc3fc0f6725393089a40e1db0415f19336b16b3eec55d12c2ac9c52603f771');
CREATE TABLE groups (
	"key" TEXT NOT NULL,
	id TEXT NOT NULL,
	name TEXT NOT NULL,
	owner TEXT NOT NULL,
	participants JSON NOT NULL,
	body TEXT NOT NULL,
	PRIMARY KEY ("key"),
	UNIQUE (id)
);
INSERT INTO "groups" VALUES('front-desk-madrid-1','g100','Front desk Madrid','eva','["bob", "pat", "eva", "u1005", "ana", "carla"]','{"id":"g100","name":"Front desk Madrid","groupId":"front-desk-madrid-1","participants":["bob","pat","eva","u1005","ana","carla"],"owner":{"id":"eva","username":"eva","domain":"desk.example","role":"admin","capabilities":[],"mobilePhone":[],"alias":"Eva Salazar"},"chatId":"room-front-desk-madrid-1","ringingStrategy":{"type":"simultaneous"}}');
INSERT INTO "groups" VALUES('night-shift-a-coruña-2','g101','Night shift A Coruña','carla','["ana", "u1005", "bob", "eva", "pat", "carla"]','{"id":"g101","name":"Night shift A Coruña","groupId":"night-shift-a-coruña-2","participants":["ana","u1005","bob","eva","pat","carla"],"owner":{"id":"carla","username":"carla","domain":"desk.example","role":"user","capabilities":[],"mobilePhone":[],"alias":"Carla Figueiredo"},"chatId":"room-night-shift-a-coruña-2","ringingStrategy":{"type":"simultaneous"}}');
CREATE TABLE idempotency (
	user TEXT NOT NULL,
	"key" TEXT NOT NULL,
	request TEXT NOT NULL,
	status INTEGER NOT NULL,
	body BLOB NOT NULL,
	at INTEGER NOT NULL,
	PRIMARY KEY (user, "key")
);
INSERT INTO "idempotency" VALUES('ana','press-1','3b7e24e101ee2accd9a75cb198307512a8923a5aec5154e522533e396776b004',200,X'7B2267726F75704964223A226731227D',1790000000000);
CREATE TABLE identities (
	id TEXT NOT NULL,
	user TEXT NOT NULL,
	enabled BOOLEAN NOT NULL,
	"temporary" BOOLEAN NOT NULL,
	last_name TEXT,
	email_verified BOOLEAN NOT NULL,
	sip_domain TEXT,
	sip_auth_proxy TEXT,
	PRIMARY KEY (id),
	UNIQUE (user)
);
INSERT INTO "identities" VALUES('d45d48e4-5f15-5bd4-aaa6-c9c0ea606afe','eva',1,0,'Salazar',1,NULL,NULL);
INSERT INTO "identities" VALUES('d292a211-c9f3-50fc-b8a7-ecca65340850','ana',1,0,'Belmonte',1,NULL,NULL);
INSERT INTO "identities" VALUES('f82686d9-dea2-52ab-a3b7-13a14cd5cbb7','bob',1,0,'Whitaker',1,NULL,NULL);
INSERT INTO "identities" VALUES('630e732f-8f7a-524f-b571-c2bb6d7d4ef7','carla',1,0,'Figueiredo',1,NULL,NULL);
INSERT INTO "identities" VALUES('6ffb4b14-b7da-5d32-89ea-c540d42bda0d','pat',1,0,'Llorente',1,NULL,NULL);
INSERT INTO "identities" VALUES('36e2c79d-3c41-5744-8fa9-0ac8b80836cd','u1005',1,0,'Serrano',0,NULL,NULL);
CREATE TABLE meeting_passwords (
	meeting TEXT NOT NULL,
	hash TEXT NOT NULL,
	PRIMARY KEY (meeting)
);
INSERT INTO "meeting_passwords" VALUES('aced8a28353fee34','$argon2id$v=19$m=64,t=1,p=1$FKP1eU8vwCbKpyDYsIOfSA$tMlumuLfmA027Hk+GiVVa1/UQi38GhoGKHjmlqEFvdI');
CREATE TABLE meetings (
	"key" TEXT NOT NULL,
	creator TEXT NOT NULL,
	members JSON NOT NULL,
	room TEXT NOT NULL,
	extension TEXT,
	name TEXT,
	language TEXT,
	phone TEXT,
	since INTEGER NOT NULL,
	until INTEGER,
	body TEXT NOT NULL,
	PRIMARY KEY ("key"),
	UNIQUE (room),
	UNIQUE (extension)
);
INSERT INTO "meetings" VALUES('meeting-1','eva','["pat", "bob", "ana", "u1005", "carla"]','room-m1','200000','Carrier talks Milano','pt','+34910600600',1790030700000,1790032500000,'{"id":"meeting-1","roomId":"room-m1","name":"Carrier talks Milano","user":{"id":"eva","username":"eva","domain":"desk.example","role":"admin","capabilities":[],"mobilePhone":[],"alias":"Eva Salazar"},"users":[{"id":"pat","username":"pat","domain":"desk.example","role":"user","capabilities":[],"mobilePhone":[],"alias":"Pat Llorente"},{"id":"bob","username":"bob","domain":"desk.example","role":"user","capabilities":[],"mobilePhone":[],"alias":"Bob Whitaker"},{"id":"ana","username":"ana","domain":"desk.example","role":"user","capabilities":[],"mobilePhone":[],"alias":"Ana Belmonte"},{"id":"u1005","username":"sergio.serrano","domain":"desk.example","role":"user","capabilities":[],"mobilePhone":[],"alias":"Sergio Serrano"},{"id":"carla","username":"carla","domain":"desk.example","role":"user","capabilities":[],"mobilePhone":[],"alias":"Carla Figueiredo"}],"language":"pt","participants":[{"userId":"pat","email":"pat@desk.example","currentTimezone":"Europe/Madrid","locale":"es-ES"},{"userId":"bob","email":"bob@desk.example","currentTimezone":"Europe/Madrid","locale":"es-ES"},{"userId":"ana","email":"ana@desk.example","currentTimezone":"Europe/Madrid","locale":"es-ES"},{"userId":"u1005","email":"sergio.serrano@desk.example","currentTimezone":"Europe/Madrid","locale":"es-ES"},{"userId":"carla","email":"carla@desk.example","currentTimezone":"Europe/Madrid","locale":"es-ES"}],"validSince":1790030700000,"validUntil":1790032500000,"phone":"+34910600600","ddi":{"extension":"200000","pin":"7942"},"isPasswordProtected":false,"validTimeBeforeStart":600000,"validTimeAfterFinish":900000,"record":{"type":"none"}}');
INSERT INTO "meetings" VALUES('aced8a28353fee34','ana','[]','room-f786bcd4ef98a121','596359','Standup',NULL,'+34910600600',1790000000000,1790003600000,'{"id":"aced8a28353fee34","roomId":"room-f786bcd4ef98a121","name":"Standup","user":{"id":"ana","username":"ana","domain":"desk.example","role":"user","capabilities":[],"mobilePhone":[],"alias":"Ana Belmonte"},"users":[],"participants":[],"validSince":1790000000000,"validUntil":1790003600000,"phone":"+34910600600","ddi":{"extension":"596359","pin":"8446"},"isPasswordProtected":true,"record":{"type":"none"}}');
CREATE TABLE missed_calls (
	"key" TEXT NOT NULL,
	user TEXT NOT NULL,
	number INTEGER NOT NULL,
	read BOOLEAN NOT NULL,
	body TEXT NOT NULL,
	PRIMARY KEY ("key")
);
INSERT INTO "missed_calls" VALUES('missed-ana-1','ana',2,0,'{"id":"missed-ana-1","userId":"ana","from":"+34952931079","meta":{"inviteId":"invite-missed-ana-1","conferenceLog":{"id":"log-missed-ana-1","roomId":"room-missed-ana-1","state":"finished","createdAt":1789963437900,"finishedAt":1789963462900,"invites":[],"participants":[],"transfers":[],"domains":[]}},"createdAt":1789963437900,"read":false}');
CREATE TABLE notifications (
	id TEXT NOT NULL,
	user TEXT NOT NULL,
	kind TEXT NOT NULL,
	PRIMARY KEY (id, user, kind)
);
INSERT INTO "notifications" VALUES('stuck','ana','alert');
INSERT INTO "notifications" VALUES('stuck','bob','alert');
INSERT INTO "notifications" VALUES('repeated','ana','alert');
CREATE TABLE oauth2_clients (
	"key" TEXT NOT NULL,
	client_id TEXT NOT NULL,
	sealed TEXT NOT NULL,
	body TEXT NOT NULL,
	PRIMARY KEY ("key"),
	UNIQUE (client_id)
);
INSERT INTO "oauth2_clients" VALUES('2d4b1a5ac931afa8','52610f39654758a9d6c31ffc','TbWBuh4FBjBkgqUfhf3mW1pPRoKZNnZX7kvw8EFY1HbWEK8ezo4mPVtTtlNKoi24hkEV9L8JcAfdF5oDuoO9bDXEL9N5tT8=','{"id":"2d4b1a5ac931afa8","name":"Console","redirectURI":"https://console.example/back","clientId":"52610f39654758a9d6c31ffc"}');
CREATE TABLE outbox (
	"offset" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	topic TEXT NOT NULL,
	kind TEXT NOT NULL,
	"key" TEXT NOT NULL,
	body TEXT,
	"before" TEXT,
	"after" TEXT,
	at INTEGER NOT NULL
);
INSERT INTO "outbox" VALUES(20,'alerts','upsert','repeated','{"alertId":"repeated","from":"eva","title":"Smoke","payload":"Look!","createdAt":1790000000000,"state":"active","templateId":"twice","retriesLeft":2,"nextRetryAt":1790000060000,"expiresAt":1790000150000}',NULL,'{"receivers": ["ana"], "sender": "eva"}',1790000000000);
INSERT INTO "outbox" VALUES(21,'alerts','upsert','taken','{"alertId":"taken","from":"eva","title":"Smoke","payload":"Look!","createdAt":1790000000000,"state":"active","templateId":"twice","retriesLeft":2,"nextRetryAt":1790000060000,"expiresAt":1790000150000}',NULL,'{"receivers": ["ana"], "sender": "eva"}',1790000000000);
INSERT INTO "outbox" VALUES(22,'alerts','upsert','taken','{"alertId":"taken","from":"eva","title":"Smoke","payload":"Look!","createdAt":1790000000000,"resolvedAt":1790000000000,"acceptedBy":"ana","state":"accepted","templateId":"twice","retriesLeft":2}','{"receivers": ["ana"], "sender": "eva"}','{"receivers": ["ana"], "sender": "eva"}',1790000000000);
CREATE TABLE permissions (
	"of" TEXT NOT NULL,
	body TEXT NOT NULL,
	PRIMARY KEY ("of")
);
INSERT INTO "permissions" VALUES('user ana','{"recording":{"recordingType":"all","recordingProfile":"always"},"voicemail":{"enabled":true}}');
CREATE TABLE phone_codes (
	user TEXT NOT NULL,
	phone TEXT NOT NULL,
	hash TEXT NOT NULL,
	expires INTEGER NOT NULL,
	PRIMARY KEY (user, phone)
);
INSERT INTO "phone_codes" VALUES('bob','+34651907690','6d699fbaf25b40b88cf5bee79da57f53e78689da4c6882816a4931e403af8416',1790000900000);
CREATE TABLE phonebooks (
	"key" TEXT NOT NULL,
	name TEXT NOT NULL,
	subscribers JSON NOT NULL,
	body TEXT NOT NULL,
	PRIMARY KEY ("key")
);
INSERT INTO "phonebooks" VALUES('phonebook-1','Couriers Madrid','["eva", "pat", "bob", "u1005", "ana", "carla"]','{"id":"phonebook-1","name":"Couriers Madrid","contacts":[{"id":"entry-1-1","name":"Fontanería Río Madrid","address":"+34957663524"},{"id":"entry-1-2","name":"Talleres Luna Madrid","address":"+34981937961"},{"id":"entry-1-3","name":"Hotel Mirador Madrid","address":"+34945588251"},{"id":"entry-1-4","name":"Sergio Serrano","address":"svc-user:u1005"},{"id":"entry-1-5","name":"Electricidad Vega Madrid","address":"+34952792031"},{"id":"entry-1-6","name":"Ana Belmonte","address":"svc-user:ana"},{"id":"entry-1-7","name":"Clínica Alameda Madrid","address":"+34952833371"},{"id":"entry-1-8","name":"Clínica Alameda Madrid","address":"+34963811742"},{"id":"entry-1-9","name":"Eva Salazar","address":"svc-user:eva"},{"id":"entry-1-10","name":"Eva Salazar","address":"svc-user:eva"},{"id":"entry-1-11","name":"Papelería Norte Madrid","address":"+34971419999"},{"id":"entry-1-12","name":"Notaría Prado Madrid","address":"+34951501096"}],"subscribers":["eva","pat","bob","u1005","ana","carla"]}');
CREATE TABLE presence (
	"key" TEXT NOT NULL,
	followers JSON NOT NULL,
	online BOOLEAN NOT NULL,
	user TEXT NOT NULL,
	body TEXT NOT NULL,
	PRIMARY KEY ("key")
);
INSERT INTO "presence" VALUES('svc-user:eva','["eva", "ana", "bob", "carla", "pat"]',0,'eva','{"id":"eva","address":"svc-user:eva","online":false,"activity":"offline","displayName":"Eva Salazar","username":"eva","domain":"desk.example","role":"admin"}');
INSERT INTO "presence" VALUES('svc-user:ana','["eva", "ana", "bob", "carla", "pat"]',1,'ana','{"id":"ana","address":"svc-user:ana","online":true,"activity":"available","displayName":"Ana Belmonte","username":"ana","domain":"desk.example","role":"user"}');
INSERT INTO "presence" VALUES('svc-user:bob','["eva", "ana", "bob", "carla", "pat"]',1,'bob','{"id":"bob","address":"svc-user:bob","online":true,"activity":"available","displayName":"Bob Whitaker","username":"bob","domain":"desk.example","role":"user"}');
INSERT INTO "presence" VALUES('svc-user:carla','["eva", "ana", "bob", "carla", "pat"]',1,'carla','{"id":"carla","address":"svc-user:carla","online":true,"activity":"available","displayName":"Carla Figueiredo","username":"carla","domain":"desk.example","role":"user"}');
INSERT INTO "presence" VALUES('svc-user:pat','["eva", "ana", "bob", "carla", "pat"]',0,'pat','{"id":"pat","address":"svc-user:pat","online":false,"activity":"offline","displayName":"Pat Llorente","username":"pat","domain":"desk.example","role":"user"}');
INSERT INTO "presence" VALUES('svc-user:u1005','["eva", "ana", "bob", "carla", "pat"]',0,'u1005','{"id":"u1005","address":"svc-user:u1005","online":false,"activity":"offline","displayName":"Sergio Serrano","username":"sergio.serrano","domain":"desk.example","role":"user"}');
CREATE TABLE push_tokens (
	user TEXT NOT NULL,
	device TEXT NOT NULL,
	type TEXT NOT NULL,
	token TEXT NOT NULL,
	registered INTEGER NOT NULL,
	PRIMARY KEY (user, device, type),
	UNIQUE (token)
);
INSERT INTO "push_tokens" VALUES('eva','eva-fcm','fcm','b661fc304b11f17997e9606eba1aaa388b39da76e0f40954349f181455fa656e',1786436083381);
INSERT INTO "push_tokens" VALUES('bob','bob-apns','apns','aa5cef76b3cd9cb02facdd82abf94707741407e3a24d1114ee200c7a12a8d585',1784862619156);
INSERT INTO "push_tokens" VALUES('ana','device-1','fcm','push-token',1790000000000);
CREATE TABLE recordings (
	"key" TEXT NOT NULL,
	start INTEGER NOT NULL,
	domain TEXT,
	source_type TEXT,
	source_id TEXT,
	people JSON NOT NULL,
	filename TEXT,
	backend TEXT,
	caller TEXT,
	callee TEXT,
	body TEXT NOT NULL,
	PRIMARY KEY ("key")
);
INSERT INTO "recordings" VALUES('rec-c100001',1789997435961,'desk.example','call','c100001','["carla"]','call-c100001.wav',NULL,'+34985470990','svc-user:carla','{"id":"rec-c100001","source":{"type":"call","id":"c100001"},"date":{"start":"2026-09-21T13:30:35.961Z","end":"2026-09-21T13:31:07.651Z"},"participants":[{"userId":"carla"}],"files":[{"id":"rec-c100001-1","size":253564,"hash":"769eb7d72abdd64edd1658172b654e5fa9819a65178443bee0a41a6572a469f4","mimeType":"audio/wav","date":{"start":"2026-09-21T13:30:35.961Z","end":"2026-09-21T13:31:07.651Z"}}],"domain":"desk.example"}');
CREATE TABLE remote_log (
	number INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	at INTEGER NOT NULL,
	user TEXT NOT NULL,
	level TEXT NOT NULL,
	file TEXT,
	text TEXT NOT NULL
);
INSERT INTO "remote_log" VALUES(1,1790000000000,'ana','info','a.js','hello');
CREATE TABLE remote_sip (
	domain TEXT NOT NULL,
	PRIMARY KEY (domain)
);
INSERT INTO "remote_sip" VALUES('desk.example');
CREATE TABLE resolved_users (
	user TEXT NOT NULL,
	other TEXT NOT NULL,
	number INTEGER NOT NULL,
	PRIMARY KEY (user, other)
);
INSERT INTO "resolved_users" VALUES('ana','ana',0);
INSERT INTO "resolved_users" VALUES('ana','eva',1);
CREATE TABLE sessions (
	"key" TEXT NOT NULL,
	user TEXT NOT NULL,
	domain TEXT NOT NULL,
	created INTEGER NOT NULL,
	expires INTEGER NOT NULL,
	body TEXT NOT NULL,
	PRIMARY KEY ("key")
);
INSERT INTO "sessions" VALUES('75b74aeece26c428','ana','desk.example',1790000000000,1790043200000,'{"id":"75b74aeece26c428","user":"ana","userObj":{"id":"ana","username":"ana","domain":"desk.example","role":"user","capabilities":[],"mobilePhone":[],"alias":"Ana Belmonte"},"domain":"desk.example","from":1790000000000,"expires":1790043200000}');
CREATE TABLE sip_identities (
	"key" TEXT NOT NULL,
	domain TEXT NOT NULL,
	username TEXT NOT NULL,
	available BOOLEAN NOT NULL,
	assigned TEXT NOT NULL,
	password TEXT NOT NULL,
	body TEXT NOT NULL,
	PRIMARY KEY ("key")
);
INSERT INTO "sip_identities" VALUES('sip-1','desk.example','7001',0,'svc-user:eva','ZUdOuJiP5Op8T3suSgAYRsFNq9VoQtAJSFQkPFrnfGcsQUp8Gm9vucUwG4U=','{"id":"sip-1","username":"7001","available":false,"domain":"desk.example"}');
INSERT INTO "sip_identities" VALUES('sip-2','desk.example','7002',1,'','jefUXpbVqFnA7/bzCkTrav7xxWWWMNzBVNo0ORCbpm82sXEwQNatk8t9/bk=','{"id":"sip-2","username":"7002","available":true,"domain":"desk.example"}');
CREATE TABLE sip_mappings (
	"key" TEXT NOT NULL,
	type TEXT NOT NULL,
	owner TEXT NOT NULL,
	domain TEXT NOT NULL,
	username TEXT NOT NULL,
	identity TEXT NOT NULL,
	password TEXT NOT NULL,
	body TEXT NOT NULL,
	PRIMARY KEY ("key")
);
INSERT INTO "sip_mappings" VALUES('svc-user:eva','user','eva','desk.example','7001','sip-1','','{"owner":"svc-user:eva","mapping":{"username":"7001"}}');
CREATE TABLE skills (
	"key" TEXT NOT NULL,
	agents JSON NOT NULL,
	body TEXT NOT NULL,
	PRIMARY KEY ("key")
);
INSERT INTO "skills" VALUES('billing','["ana"]','{"skill":"billing","agents":["ana"]}');
CREATE TABLE static_contacts (
	"key" TEXT NOT NULL,
	domain TEXT NOT NULL,
	name TEXT NOT NULL,
	associated TEXT,
	body TEXT NOT NULL,
	PRIMARY KEY ("key")
);
INSERT INTO "static_contacts" VALUES('desk.example/reception-1','desk.example','Reception','eva','{"id":"reception-1","name":"Reception","phones":[{"type":"work","value":"+34976856931","primary":true},{"type":"work","value":"+34607031674","primary":false}],"emails":[{"type":"work","value":"reception@desk.example","primary":false}],"associatedUserId":"eva","domain":"desk.example"}');
CREATE TABLE statistics (
	id INTEGER NOT NULL,
	call TEXT NOT NULL,
	at INTEGER NOT NULL,
	body TEXT NOT NULL,
	PRIMARY KEY (id)
);
INSERT INTO "statistics" VALUES(1,'c100000',1789998621215,'{"domain":"desk.example","user":"eva","service":"call","type":"call-brief","timestamp":1789998621215,"payload":{"ssrc":[{"id":"917620894","packetsSent":14048,"packetsReceived":0,"packetsLost":0,"bytesSent":2247680,"bytesReceived":0,"CodecName":"opus"},{"id":"592457503","packetsSent":0,"packetsReceived":11238,"packetsLost":2810,"bytesSent":0,"bytesReceived":1798080,"CodecName":"opus"}]},"ts":1789998621215}');
CREATE TABLE status (
	"key" TEXT NOT NULL,
	body TEXT NOT NULL,
	PRIMARY KEY ("key")
);
INSERT INTO "status" VALUES('status','{"activeUsers":["ana","bob","carla"],"activeCalls":[],"calls":{"sinceReboot":0,"last15":0,"last30":2,"last60":3,"all":3},"uptime":0,"memoryUsage":{"rss":74506240,"heapTotal":47538176,"heapUsed":47751168}}');
CREATE TABLE templates (
	"key" TEXT NOT NULL,
	receivers JSON NOT NULL,
	body TEXT NOT NULL,
	PRIMARY KEY ("key")
);
INSERT INTO "templates" VALUES('once','["ana", "bob"]','{"templateId":"once","title":"Fire","payload":"Out!","timeToExpire":30000}');
INSERT INTO "templates" VALUES('twice','["ana"]','{"templateId":"twice","title":"Smoke","payload":"Look!","numberOfRetries":2,"timeInMsBetweenRetries":60000,"timeToExpire":30000}');
CREATE TABLE tokens (
	id TEXT NOT NULL,
	kind TEXT NOT NULL,
	hash TEXT NOT NULL,
	user TEXT NOT NULL,
	session TEXT NOT NULL,
	family TEXT NOT NULL,
	client TEXT NOT NULL,
	expires INTEGER NOT NULL,
	revoked INTEGER,
	spent INTEGER,
	PRIMARY KEY (id),
	UNIQUE (hash)
);
INSERT INTO "tokens" VALUES('2d6eaac61f6c4dd6','access','901661a9ca4cd33cea20031a8b0108f7e1ceaf1877849229bac6366eee8d8fb3','ana','','c9a0df768b999740','console',1790003600000,NULL,NULL);
INSERT INTO "tokens" VALUES('fbafd871331b6b64','refresh','cf3467a9b4ad839214d7d6f323027cf56c87a4da8b5a711b9b26102e3cc3e2c7','ana','','c9a0df768b999740','console',1792592000000,NULL,NULL);
INSERT INTO "tokens" VALUES('ddb853e66d80521a','session','487dcb809f50425fbefa77a6035950436bb53ed9e5db1a04dbd2ecec169a8bb5','bob','cedaa0146d178048','ddb853e66d80521a','console',1790043200000,1790000000000,NULL);
INSERT INTO "tokens" VALUES('3ab4e76714519e26','session','187184519335a0ccb2c460d5afecbbfdcfac6e8f8327b3a7c47913c833124509','ana','75b74aeece26c428','3ab4e76714519e26','console',1790043200000,NULL,NULL);
CREATE TABLE user_contacts (
	"key" TEXT NOT NULL,
	owner TEXT NOT NULL,
	name TEXT NOT NULL,
	associated TEXT,
	body TEXT NOT NULL,
	PRIMARY KEY ("key")
);
INSERT INTO "user_contacts" VALUES('ana/ana-1','ana','Irene Méndez van Dijk',NULL,'{"id":"ana-1","owner":"ana","name":"Irene Méndez van Dijk","phones":[{"type":"home","value":"+34645735238","primary":true}],"emails":[{"type":"work","value":"irene.mendez@mirador.example","primary":false}],"favorite":false}');
CREATE TABLE user_settings (
	"key" TEXT NOT NULL,
	user TEXT NOT NULL,
	source TEXT NOT NULL,
	name TEXT NOT NULL,
	body TEXT NOT NULL,
	PRIMARY KEY ("key")
);
INSERT INTO "user_settings" VALUES('ana-language@web','ana','web','language','{"id":"ana-language@web","source":"web","user":"ana","key":"language","value":"ca"}');
INSERT INTO "user_settings" VALUES('ana-data-saver@mobile','ana','mobile','data-saver','{"id":"ana-data-saver@mobile","source":"mobile","user":"ana","key":"data-saver","value":"on"}');
CREATE TABLE users (
	"key" TEXT NOT NULL,
	username TEXT NOT NULL,
	domain TEXT NOT NULL,
	role TEXT NOT NULL,
	email TEXT,
	alias TEXT,
	created INTEGER NOT NULL,
	last_login INTEGER,
	capabilities JSON NOT NULL,
	mobile_phone JSON NOT NULL,
	body TEXT NOT NULL,
	PRIMARY KEY ("key")
);
INSERT INTO "users" VALUES('eva','eva','desk.example','admin','eva@desk.example','Eva Salazar',1712409046964,NULL,'[]','["+34673938994"]','{"id":"eva","username":"eva","domain":"desk.example","role":"admin","email":"eva@desk.example","created":1712409046964,"capabilities":[],"mobilePhone":["+34673938994"],"landLineNumber":"+34917055289","alias":"Eva Salazar","currentTimezone":"Europe/Madrid","locale":"es-ES"}');
INSERT INTO "users" VALUES('ana','ana','desk.example','user','ana@desk.example','Ana Belmonte',1738707172515,1790000000000,'["+c2cagent"]','["+34617710292"]','{"id":"ana","username":"ana","domain":"desk.example","role":"user","email":"ana@desk.example","created":1738707172515,"lastLogin":1790000000000,"capabilities":["+c2cagent"],"mobilePhone":["+34617710292"],"landLineNumber":"+34986414229","alias":"Ana Belmonte","currentTimezone":"Europe/Madrid","locale":"es-ES"}');
INSERT INTO "users" VALUES('bob','bob','desk.example','user','bob@desk.example','Bob Whitaker',1780867425156,1790000000000,'["+c2cagent"]','["+34651907690"]','{"id":"bob","username":"bob","domain":"desk.example","role":"user","email":"bob@desk.example","created":1780867425156,"lastLogin":1790000000000,"capabilities":["+c2cagent"],"mobilePhone":["+34651907690"],"landLineNumber":"+34948997365","alias":"Bob Whitaker","currentTimezone":"Europe/Madrid","locale":"es-ES"}');
INSERT INTO "users" VALUES('carla','carla','desk.example','user','carla@desk.example','Carla Figueiredo',1745336896405,NULL,'["+c2cagent"]','["+34618471412"]','{"id":"carla","username":"carla","domain":"desk.example","role":"user","email":"carla@desk.example","created":1745336896405,"capabilities":["+c2cagent"],"mobilePhone":["+34618471412"],"landLineNumber":"+34939876684","alias":"Carla Figueiredo","currentTimezone":"Europe/Madrid","locale":"es-ES"}');
INSERT INTO "users" VALUES('pat','pat','desk.example','user','pat@desk.example','Pat Llorente',1773813496109,NULL,'[]','["+34661926835"]','{"id":"pat","username":"pat","domain":"desk.example","role":"user","email":"pat@desk.example","created":1773813496109,"capabilities":[],"mobilePhone":["+34661926835"],"landLineNumber":"+34967838342","alias":"Pat Llorente","currentTimezone":"Europe/Madrid","locale":"es-ES"}');
INSERT INTO "users" VALUES('u1005','sergio.serrano','desk.example','user','sergio.serrano@desk.example','Sergio Serrano',1776032399056,1789990760020,'[]','["+34670069719"]','{"id":"u1005","username":"sergio.serrano","domain":"desk.example","role":"user","email":"sergio.serrano@desk.example","created":1776032399056,"lastLogin":1789990760020,"capabilities":[],"mobilePhone":["+34670069719"],"landLineNumber":"+34986249710","alias":"Sergio Serrano","currentTimezone":"Europe/Madrid","locale":"es-ES"}');
CREATE INDEX ix_idempotency_at ON idempotency (at);
CREATE INDEX ix_tokens_session ON tokens (session);
CREATE INDEX ix_tokens_family ON tokens (family);
CREATE INDEX ix_tokens_user ON tokens (user);
CREATE INDEX ix_deliveries_at ON deliveries (at);
CREATE INDEX ix_deliveries_subject ON deliveries (subject);
CREATE INDEX ix_credentials_user ON credentials (user);
CREATE INDEX ix_credentials_username ON credentials (username);
CREATE INDEX ix_user_settings_user ON user_settings (user);
CREATE INDEX ix_users_username ON users (username);
CREATE INDEX ix_sessions_expires ON sessions (expires);
CREATE INDEX ix_sessions_user ON sessions (user);
CREATE INDEX ix_ended_sessions_ended ON ended_sessions (ended);
CREATE INDEX ix_alerts_due ON alerts (due);
CREATE INDEX ix_alerts_state ON alerts (state);
CREATE INDEX ix_chat_push_nodes_user ON chat_push_nodes (user);
CREATE INDEX ix_datapipes_touched ON datapipes (touched);
CREATE INDEX ix_datapipes_finished ON datapipes (finished);
CREATE INDEX ix_domain_logouts_running ON domain_logouts (running);
CREATE INDEX ix_meetings_since ON meetings (since);
CREATE INDEX ix_meetings_until ON meetings (until);
CREATE INDEX ix_meetings_creator ON meetings (creator);
CREATE INDEX ix_presence_online ON presence (online);
CREATE INDEX ix_chats_agent ON chats (agent);
CREATE INDEX ix_chats_began ON chats (began);
CREATE INDEX ix_recordings_start ON recordings (start);
CREATE INDEX ix_recordings_source_id ON recordings (source_id);
CREATE INDEX ix_recordings_domain ON recordings (domain);
CREATE INDEX calls_newest_first ON calls (date DESC, "key");
CREATE INDEX ix_calls_callee ON calls (callee);
CREATE INDEX ix_calls_state ON calls (state);
CREATE INDEX ix_calls_to ON calls ("to");
CREATE INDEX ix_calls_target ON calls (target);
CREATE INDEX ix_calls_caller ON calls (caller);
CREATE INDEX ix_call_dates_date ON call_dates (date);
CREATE INDEX ix_conferences_state ON conferences (state);
CREATE INDEX ix_conferences_room ON conferences (room);
CREATE INDEX ix_conferences_created ON conferences (created);
CREATE INDEX ix_groups_owner ON groups (owner);
CREATE INDEX ix_groups_name ON groups (name);
CREATE INDEX ix_alarms_call ON alarms (call);
CREATE INDEX ix_alarms_raised ON alarms (raised);
CREATE INDEX ix_statistics_call ON statistics (call);
CREATE INDEX ix_contacts_user ON contacts (user);
CREATE INDEX ix_contacts_source ON contacts (source);
CREATE INDEX ix_contacts_domain ON contacts (domain);
CREATE INDEX ix_user_contacts_owner ON user_contacts (owner);
CREATE INDEX ix_user_contacts_associated ON user_contacts (associated);
CREATE INDEX ix_static_contacts_domain ON static_contacts (domain);
CREATE INDEX ix_static_contacts_associated ON static_contacts (associated);
CREATE INDEX ix_phonebooks_name ON phonebooks (name);
CREATE INDEX ix_missed_calls_user ON missed_calls (user);
CREATE INDEX ix_sip_identities_domain ON sip_identities (domain);
CREATE INDEX ix_sip_mappings_username ON sip_mappings (username);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('outbox',22);
INSERT INTO "sqlite_sequence" VALUES('remote_log',1);
COMMIT;
