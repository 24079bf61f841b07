// Bank statements in the older and newer formats of banks.
import { zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { readBankStatement, withoutCopies } from './bank-statement.ts'
import { Unreadable } from './row.ts'
import { unzipped } from './unzip.ts'

const statement = (version: string, ...entries: string[]) =>
  `<?xml version="1.0" encoding="UTF-8"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.${version}"><BkToCstmrStmt><GrpHdr><MsgId>1</MsgId></GrpHdr>
  <Stmt><Id>7</Id><Bal><Amt Ccy="EUR">900</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>${entries.join('')}</Stmt></BkToCstmrStmt></Document>`

const OLD = statement(
  '02',
  `<Ntry><NtryRef>N1</NtryRef><Amt Ccy="EUR">5.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-11-03</Dt></BookgDt>
    <AcctSvcrRef>2026110312345</AcctSvcrRef><NtryDtls><TxDtls><Refs><EndToEndId>NOTPROVIDED</EndToEndId></Refs>
    <RltdPties><Dbtr><Nm>Marc &amp; Söhne</Nm></Dbtr><DbtrAcct><Id><IBAN>DE89370400440532013000</IBAN></Id></DbtrAcct></RltdPties>
    <RmtInf><Ustrd>PL-0A1B2C3D-1</Ustrd><Ustrd>thanks</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`,
  `<Ntry><Amt Ccy="EUR">12.50</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-11-04</Dt></BookgDt></Ntry>`,
  `<Ntry><Amt Ccy="EUR">5.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><RvslInd>true</RvslInd><Sts>BOOK</Sts></Ntry>`,
)
const NEW = statement(
  '08',
  `<Ntry><Amt Ccy="EUR">9.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><DtTm>2026-11-05T10:00:00+01:00</DtTm></BookgDt><AcctSvcrRef>B</AcctSvcrRef>
    <NtryDtls><TxDtls><Refs><EndToEndId>E1</EndToEndId><TxId>T1</TxId></Refs><Amt Ccy="EUR">4.00</Amt><CdtDbtInd>CRDT</CdtDbtInd>
      <RltdPties><Dbtr><Pty><Nm>Zoe</Nm></Pty></Dbtr></RltdPties></TxDtls>
    <TxDtls><Refs><TxId>T2</TxId></Refs><Amt Ccy="EUR">5.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><RmtInf><Strd><CdtrRefInf><Ref>RF18</Ref></CdtrRefInf></Strd></RmtInf></TxDtls></NtryDtls></Ntry>`,
  `<Ntry><Amt Ccy="CHF">1</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>PDNG</Cd></Sts><AddtlNtryInf>Soon</AddtlNtryInf></Ntry>`,
)
const nothing = { name: '', account: '', text: '', ref: null, kind: null }

test('version 2: one transfer, money out, and money that was taken back', () => {
  expect(readBankStatement(OLD)).toEqual([
    {
      ...{
        key: '1',
        amount: 5,
        currency: 'EUR',
        kind: null,
        booked: '2026-11-03',
        name: 'Marc & Söhne',
        account: '3000',
      },
      ...{ text: 'PL-0A1B2C3D-1 thanks', ref: '2026110312345' },
    },
    { ...nothing, key: '2', amount: 12.5, currency: 'EUR', kind: 'debit', booked: '2026-11-04' },
    { ...nothing, key: '3', amount: 5, currency: 'EUR', kind: 'debit', booked: null },
  ])
})

test('version 8: several transfers booked at once, and one that is not booked yet', () => {
  expect(readBankStatement(NEW)).toEqual([
    {
      ...nothing,
      key: '1',
      amount: 4,
      currency: 'EUR',
      booked: '2026-11-05',
      name: 'Zoe',
      text: 'E1',
      ref: 'B/T1',
    },
    { ...nothing, key: '2', amount: 5, currency: 'EUR', booked: '2026-11-05', text: 'RF18', ref: 'B/T2' },
    { ...nothing, key: '3', amount: 1, currency: 'CHF', booked: null, kind: 'pending', text: 'Soon' },
  ])
})

test('of statements that overlap each entry is read once, however often one of them has it', () => {
  const [paid, ...others] = readBankStatement(OLD)
  const twice = [paid, paid] as NonNullable<typeof paid>[]
  expect(withoutCopies([twice, [...twice, ...others], readBankStatement(OLD)])).toEqual(
    [...twice, ...others].map((entry, index) => ({ ...entry, key: String(index + 1) })),
  )
})

test('an announced entry is not booked, and a day that does not exist is none', () => {
  const odd = `<Ntry><Amt Ccy="EUR">1</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>FUTR</Cd></Sts><BookgDt><Dt>2026-02-30</Dt></BookgDt></Ntry>`
  expect(readBankStatement(statement('13', odd))).toMatchObject([{ kind: 'pending', booked: null }])
})

test.each([
  ['no XML', 'Datum;Betrag'],
  ['half of it', OLD.slice(0, 400)],
  ['another message', '<Document><CstmrCdtTrfInitn/></Document>'],
  ['a bomb', `<!DOCTYPE x [<!ENTITY a "${'b'.repeat(99)}">]>${OLD.replace('thanks', '&a;')}`],
])('%s is refused with a reason', (_name, xml) => {
  expect(() => readBankStatement(xml)).toThrow(Unreadable)
})

const paid = (within: string, more = '') =>
  `<Ntry><Amt Ccy="EUR">3.67</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-11-27</Dt></BookgDt>${more}<NtryDtls><TxDtls>${within}</TxDtls></NtryDtls></Ntry>`
const payer = (name: string, role = 'Dbtr') => `<${role}><Pty><Nm>${name}</Nm></Pty></${role}>`

test.each([
  ['Ustrd', '<RmtInf><Ustrd>PL-1</Ustrd></RmtInf>'],
  ['AddtlTxInf', '<AddtlTxInf>PL-1</AddtlTxInf>'],
  ['Strd/AddtlRmtInf', '<RmtInf><Strd><AddtlRmtInf>PL-1</AddtlRmtInf></Strd></RmtInf>'],
  ['Strd/RfrdDocInf/Nb', '<RmtInf><Strd><RfrdDocInf><Tp/><Nb>PL-1</Nb></RfrdDocInf></Strd></RmtInf>'],
  ['Strd/CdtrRefInf/Ref', '<RmtInf><Strd><CdtrRefInf><Ref>PL-1</Ref></CdtrRefInf></Strd></RmtInf>'],
  ['EndToEndId', '<Refs><EndToEndId>PL-1</EndToEndId></Refs>'],
  ['AddtlNtryInf', '', '<AddtlNtryInf>PL-1</AddtlNtryInf>'],
  [
    'AddtlNtryInf beside Ustrd',
    '<RmtInf><Ustrd>OVERBOEKING</Ustrd></RmtInf>',
    '<AddtlNtryInf>PL-1</AddtlNtryInf>',
  ],
  ['both', '<RmtInf><Ustrd>OVERBOEKING</Ustrd></RmtInf><AddtlTxInf>PL-1</AddtlTxInf>'],
])('what was written is found in %s', (_place, within, more = '') => {
  const [entry] = readBankStatement(statement('08', paid(within, more)))
  expect(entry?.text).toMatch(/(^| )PL-1$/)
})

test('of transfers booked at once each has its own text', () => {
  const one = (text: string) =>
    `<TxDtls><Amt Ccy="EUR">1</Amt><RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls>`
  const batch = `<Ntry><Amt Ccy="EUR">2</Amt><CdtDbtInd>CRDT</CdtDbtInd><NtryDtls>${one('PL-1')}${one('PL-2')}</NtryDtls><AddtlNtryInf>PL-1 PL-2</AddtlNtryInf></Ntry>`
  expect(readBankStatement(statement('08', batch)).map(({ text }) => text)).toEqual(['PL-1', 'PL-2'])
  // If the transfers have no amounts of their own, they become one entry with the texts of all payers.
  const together = batch.replaceAll('<TxDtls><Amt Ccy="EUR">1</Amt>', '<TxDtls>')
  expect(readBankStatement(statement('08', together)).map(({ text }) => text)).toEqual([
    'PL-1 PL-2 PL-1 PL-2',
  ])
})

test('who paid, and for whom', () => {
  const name = (...roles: string[]) =>
    readBankStatement(statement('08', paid(`<RltdPties>${roles.join('')}</RltdPties>`)))[0]?.name
  expect(name(payer('Freya Lindqvist'))).toBe('Freya Lindqvist')
  expect(name(payer('Bank AG'), payer('Freya Lindqvist', 'UltmtDbtr'))).toBe('Bank AG / Freya Lindqvist')
  expect(name(payer('Freya'), '<UltmtDbtr><Nm>Freya</Nm></UltmtDbtr>')).toBe('Freya')
})

test.each([
  ['052', 'BkToCstmrAcctRpt', 'Rpt'],
  ['054', 'BkToCstmrDbtCdtNtfctn', 'Ntfctn'],
])('camt.%s is read like camt.053, with what is pending', (number, message, part) => {
  const xml = statement('08', paid(''), paid('').replace('BOOK', 'PDNG'))
    .replace('camt.053', `camt.${number}`)
    .replaceAll('BkToCstmrStmt', message)
    .replaceAll(/(<\/?)Stmt>/g, `$1${part}>`)
  expect(readBankStatement(xml)).toMatchObject([{ amount: 3.67, kind: null }, { kind: 'pending' }])
})

test.each([
  ['<BookgDt><Dt>2026-11-27</Dt></BookgDt><ValDt><Dt>2026-11-30</Dt></ValDt>', '2026-11-27'],
  ['<ValDt><Dt>2026-11-30</Dt></ValDt>', '2026-11-30'],
  ['<BookgDt><Dt></Dt></BookgDt><ValDt><DtTm>2026-11-30T00:00:00</DtTm></ValDt>', '2026-11-30'],
])('the day is that of booking, or else the one from which the money counts: %s', (days, booked) => {
  const entry = paid('').replace('<BookgDt><Dt>2026-11-27</Dt></BookgDt>', days)
  expect(readBankStatement(statement('08', entry))).toMatchObject([{ booked }])
})

test('MT940 is refused with what to ask the bank for', () => {
  const mt940 =
    ':20:STARTUMS\r\n:25:37040044/0532013000\r\n:60F:C261101EUR9,00\r\n:61:2611031103CR5,00N\r\n:86:166?00GUTSCHRIFT'
  for (const text of [mt940, `{1:F01X}{2:O940}{4:\r\n${mt940}`, `\r\n${mt940}`])
    expect(() => readBankStatement(text)).toThrow(/MT940.*CAMT\.053/)
})

test('statements may be in a ZIP file', async () => {
  const text = (content: string) => new TextEncoder().encode(content)
  const files = {
    'a/1.XML': text('one'),
    'a/2.xml': text('two'),
    'read.me': text('x'),
    '__MACOSX/1.xml': text('y'),
  }
  const read = async (bytes: Uint8Array) =>
    (await unzipped(bytes)).map((one) => new TextDecoder().decode(one))
  expect(await read(zipSync(files))).toEqual(['one', 'two'])
  expect(await read(zipSync({ 'x.sta': text(':20:') }))).toEqual([':20:'])
  expect(await read(text('<Document/>'))).toEqual(['<Document/>'])
  for (const bytes of [zipSync(files).slice(0, 60), zipSync({ 'x.xml': new Uint8Array(20_000_001) })])
    await expect(read(bytes)).rejects.toThrow(Unreadable)
})
