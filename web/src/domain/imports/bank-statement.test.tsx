// Bank statements as banks of two generations write them.
import { expect, test } from 'vitest'
import { readBankStatement, withoutCopies } from './bank-statement.ts'
import { Unreadable } from './row.ts'

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
