// Writes a report of what owners earn, in the OECD's XML for digital platforms (DPI, version 1.0), which DAC7 uses.
import type { BankAccount } from './bank-account.ts'
import { openStoredKey, type StoredKey } from './data-keys.ts'
import { type Call, sentAs } from './input.ts'
import { DecryptionFailed, open, type Sealed } from './seal.ts'
import { openTaxDetails, type TaxDetails } from './tax-details.ts'

interface SealedSecret {
  id: string
  version: number
  sealed: Sealed
}

/** One amount for each quarter, in EUR. */
type Quarters = [number, number, number, number]

interface Entry {
  user_id: string
  name: string
  document: string
  corrects: string | null
  is_deletion: boolean
  figures: Record<'consideration' | 'fees' | 'activities', Quarters>
  key: StoredKey | null
  details: SealedSecret | null
  account: SealedSecret | null
}

/** The answer of `open_tax_report()`. */
interface TaxReport {
  year: number
  kind: 'new' | 'correction' | 'nothing'
  reference: string
  operator: Record<
    | 'country'
    | 'nexus'
    | 'tax_number'
    | 'platform'
    | 'name'
    | 'street'
    | 'postcode'
    | 'town'
    | 'address_country',
    string
  > & { activity: 'personal-services' | 'sale-of-goods' }
  operator_document: string
  operator_way: 'new' | 'repeated' | 'corrected'
  operator_corrects: string | null
  made_at: string
  entries: Entry[]
}

/**
 * Writes the message of the report that the body `{ report }` names. The result is the same each time. Nothing is left
 * out: details that cannot be decrypted are an error.
 */
export async function writeTaxReport({ siteKeys, ask, body }: Call): Promise<{ name: string; xml: string }> {
  const report = (await ask('open_tax_report', {
    p_id: sentAs(body, 'report'),
  })) as TaxReport
  const sellers: string[] = []
  for (const entry of report.entries) {
    if (!entry.key || !entry.details) throw new DecryptionFailed(`What ${entry.name} has given`)
    const key = await openStoredKey(siteKeys, entry.key, { kind: 'person', id: entry.user_id })
    const { account } = entry
    sellers.push(
      sellerOf(
        report,
        entry,
        await openTaxDetails(key, entry.details),
        account &&
          (await open<BankAccount>(key, account.sealed, {
            kind: 'bank-account',
            id: account.id,
            version: account.version,
          })),
      ),
    )
  }
  return { name: `${report.reference}.xml`, xml: messageOf(report, sellers) }
}

/** Escapes a text for XML. The schema forbids some pairs of characters, such as `--`, so these pairs are replaced. */
const escaped = (text: string) =>
  text
    .replaceAll(/--+/g, '-')
    .replaceAll('/*', '/ *')
    .replaceAll('&#', '& #')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')

const of = (name: string, attributes: Record<string, string>, inside: string[]) =>
  `<${name}${Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${escaped(value).replaceAll('"', '&quot;')}"`)
    .join('')}>${inside.join('')}</${name}>`
/** Returns an element with other elements inside. */
const group = (name: string, ...inside: string[]) => of(`dpi:${name}`, {}, inside)
/** Returns an element with a text inside. */
const leaf = (name: string, text: string, attributes: Record<string, string> = {}) =>
  of(name.includes(':') ? name : `dpi:${name}`, attributes, [escaped(text)])
const ifAny = (name: string, text: string | null | undefined) => (text ? leaf(name, text) : '')

const documentOf = (indicator: string, document: string, corrects: string | null) =>
  group(
    'DocSpec',
    leaf('stf:DocTypeIndic', indicator),
    leaf('stf:DocRefId', document),
    ifAny('stf:CorrDocRefId', corrects),
  )

const KINDS = { new: 'DPI401', correction: 'DPI402', nothing: 'DPI403' }
const OPERATOR_WAYS = { repeated: 'OECD0', new: 'OECD1', corrected: 'OECD2' }
const ACTIVITIES = { 'personal-services': 'PersonalServices', 'sale-of-goods': 'SaleOfGoods' }

const addressOf = (
  country: string,
  { street, postcode, town }: Record<'street' | 'postcode' | 'town', string>,
) =>
  group(
    'Address',
    leaf('CountryCode', country),
    group('AddressFix', leaf('Street', street), leaf('PostCode', postcode), leaf('City', town)),
  )

function messageOf(report: TaxReport, sellers: string[]): string {
  const { operator } = report
  const isResident = operator.nexus === 'RPONEX1'
  return `<?xml version="1.0" encoding="UTF-8"?>\n${of(
    'dpi:DPI_OECD',
    { 'xmlns:dpi': 'urn:oecd:ties:dpi:v1', 'xmlns:stf': 'urn:oecd:ties:dpistf:v1', version: '1.0' },
    [
      group(
        'MessageSpec',
        leaf('TransmittingCountry', operator.country),
        leaf('ReceivingCountry', operator.country),
        leaf('MessageType', 'DPI'),
        leaf('MessageRefId', report.reference),
        leaf('MessageTypeIndic', KINDS[report.kind]),
        leaf('ReportingPeriod', `${report.year}-12-31`),
        leaf('Timestamp', new Date(report.made_at).toISOString().slice(0, 19)),
      ),
      group(
        'DPIBody',
        group(
          'PlatformOperator',
          isResident ? leaf('ResCountryCode', operator.country) : '',
          leaf('TIN', operator.tax_number, { issuedBy: operator.country }),
          leaf('Name', operator.name),
          leaf('PlatformBusinessName', operator.platform),
          addressOf(operator.address_country, operator),
          leaf('Nexus', operator.nexus),
          leaf('AssumedReporting', 'false'),
          documentOf(OPERATOR_WAYS[report.operator_way], report.operator_document, report.operator_corrects),
        ),
        ...sellers,
      ),
    ],
  )}\n`
}

/** Returns the XML about one person. The amounts of each quarter are in whole euros, as the schema requires. */
function sellerOf(
  { kind, operator }: TaxReport,
  entry: Entry,
  who: TaxDetails,
  account: BankAccount | null,
): string {
  const quarters = (name: string, of: string, amounts: Quarters, attributes: Record<string, string>) =>
    group(name, ...amounts.map((amount, index) => leaf(`${of}Q${index + 1}`, whole(amount), attributes)))
  const EUR = { currCode: 'EUR' }
  const { consideration, fees, activities } = entry.figures
  return group(
    'ReportableSeller',
    group(
      'Identity',
      group(
        'IndividualSeller',
        group(
          'Standard',
          group(
            'IndSellerID',
            leaf('ResCountryCode', who.country),
            ...(who.taxNumbers.length === 0
              ? [leaf('TIN', 'NOTIN', { unknown: 'true' })]
              : who.taxNumbers.map(({ number, country }) => leaf('TIN', number, { issuedBy: country }))),
            ifAny('VAT', who.vatNumber),
            group('Name', leaf('FirstName', who.firstName), leaf('LastName', who.lastName)),
            addressOf(who.country, who),
            group(
              'BirthInfo',
              leaf('BirthDate', who.birthDate),
              who.birthTown && who.birthCountry
                ? group(
                    'BirthPlace',
                    leaf('City', who.birthTown),
                    group('CountryInfo', leaf('CountryCode', who.birthCountry)),
                  )
                : '',
            ),
          ),
          account
            ? group(
                'FinancialIdentifier',
                leaf('Identifier', account.iban, { AccountNumberType: 'IBAN' }),
                leaf('AccountHolderName', account.holder),
              )
            : '',
        ),
      ),
    ),
    group(
      'RelevantActivities',
      group(
        ACTIVITIES[operator.activity],
        quarters('Consideration', 'Cons', consideration, EUR),
        quarters('NumberOfActivities', 'Numb', activities, {}),
        quarters('Fees', 'Fees', fees, EUR),
        // The site withholds no taxes.
        quarters('Taxes', 'Tax', [0, 0, 0, 0], EUR),
      ),
    ),
    documentOf(
      kind === 'new' ? 'OECD1' : entry.is_deletion ? 'OECD3' : 'OECD2',
      entry.document,
      entry.corrects,
    ),
  )
}

/** Rounds an amount to whole euros; half a euro is rounded away from zero. */
const whole = (amount: number) => String(Math.sign(amount) * Math.round(Math.abs(amount)) + 0)
