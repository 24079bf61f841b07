// Creates an invoice or a credit note as Factur-X: a PDF/A-3 for people, which includes the same contents as XML (EN
// 16931) for their programs.
import {
  buildXml,
  DocumentTypeCode,
  embedFacturX,
  type FacturXInvoiceInput,
  Profile,
  UnitCode,
} from '@stackforge-eu/factur-x'
import { drawPaper, type Paper } from '../_shared/pdf.ts'
import { type Speech, speechIn } from '../_shared/words/papers.ts'

interface Row {
  number: string
  issued_at: string
  paid_at: string
  plan_name: string
  period: number
  gross: number
  net: number
  vat: number
  category: 'S' | 'E' | 'O'
  /** A fraction, such as 0.19. */
  vat_rate: number
  buyer_name: string
  buyer_country: string
  seller: Record<'mode' | 'name' | 'street' | 'postcode' | 'town' | 'country' | 'vat_number', string> & {
    /** The reason why there is no VAT; only for a small business. */
    sentence: string | null
  }
}

/** The answer of `invoice()`. Only a credit note has `corrects`, the invoice that it corrects. */
export interface Invoice extends Row {
  corrects: Row | null
  language: string | null
}

const dayOf = (time: string) => new Date(time).toISOString().slice(0, 10)
/**
 * Returns whether a number is a VAT number: a country's code, then 2 to 12 letters or digits. Any other number is a tax
 * number, such as Italy's with 16 characters.
 */
const isVatNumber = (number: string) => /^[A-Z]{2}[0-9A-Z]{2,12}$/.test(number.replaceAll(/[ .-]/g, ''))

export async function drawInvoice(invoice: Invoice): Promise<Uint8Array> {
  const speech = speechIn(invoice.language)
  const paper = paperOf(invoice, speech)
  const { pdf } = await embedFacturX({
    pdf: await drawPaper(paper, speech),
    xml: xmlOf(invoice),
    profile: Profile.EN16931,
    meta: { title: paper.title, author: paper.author.name, creator: 'Potluck' },
  })
  return pdf
}

/** Returns the sentence that says why there is no VAT; null if there is VAT. */
const reasonOf = ({ category, seller }: Row, say: Speech['say']) =>
  category === 'E'
    ? (seller.sentence ?? '')
    : category === 'O'
      ? say('Not subject to VAT in the EU: the buyer lives elsewhere.')
      : null

function paperOf(invoice: Invoice, speech: Speech): Paper {
  const { say, money, day, percent, country } = speech
  const { seller, corrects, category } = invoice
  const number = isVatNumber(seller.vat_number) ? say('VAT number') : say('Tax number')
  const about = [
    `${say('Number')}: ${invoice.number}`,
    `${say('Date')}: ${day(dayOf(invoice.issued_at))}`,
    corrects
      ? `${say('Corrects invoice')}: ${corrects.number}, ${day(dayOf(corrects.issued_at))}`
      : `${say('Paid on')}: ${day(dayOf(invoice.paid_at))}`,
  ]
  const isForeign = category === 'S' && seller.mode === 'oss' && invoice.buyer_country !== seller.country
  return {
    title: `${corrects ? say('Credit note') : say('Invoice')} ${invoice.number}`,
    author: {
      name: seller.name,
      foot: `${seller.name}, ${seller.street}, ${seller.postcode} ${seller.town}`,
    },
    day: dayOf(invoice.issued_at),
    blocks: [
      {
        heading: say('Seller'),
        lines: [
          seller.name,
          seller.street,
          `${seller.postcode} ${seller.town}`,
          country(seller.country),
          `${number}: ${seller.vat_number}`,
        ],
      },
      { heading: say('Buyer'), lines: [invoice.buyer_name, country(invoice.buyer_country)] },
      { heading: ' ', lines: about },
    ],
    parts: [
      {
        head: [say('Description'), say('Net'), say('VAT'), ' ', say('Total')],
        numbers: 4,
        rows: [
          [
            lineOf(invoice, speech),
            money(invoice.net),
            percent(invoice.vat_rate),
            money(invoice.vat),
            money(invoice.gross),
          ],
        ],
        sums: [say('Total'), money(invoice.net), ' ', money(invoice.vat), money(invoice.gross)],
      },
      ...[
        reasonOf(invoice, say),
        isForeign && say('The VAT is that of the country where the buyer lives.'),
      ].filter((sentence) => typeof sentence === 'string'),
      corrects
        ? say('This amount comes back to you the way you paid it.')
        : say('Paid. There is nothing left to pay.'),
    ],
  }
}

const lineOf = ({ plan_name, period }: Row, { say, plan }: Speech) =>
  `${say('Convenience fee')}: ${plan(plan_name)} (${period})`

/**
 * Returns the XML, with English texts. An invoice that is not subject to VAT must not give the seller's number as a VAT
 * number, so it gives that number as the seller's id.
 */
export function xmlOf(invoice: Invoice): string {
  const { seller, corrects, category, gross, net, vat, vat_rate: rate } = invoice
  const speech = speechIn(null)
  const { say } = speech
  const registration = {
    id: seller.vat_number,
    schemeId: isVatNumber(seller.vat_number) ? 'VA' : 'FC',
  } as const
  const address = (code: string) => ({ line1: '', city: '', postalCode: '', country: code })
  const reason = reasonOf(invoice, say)
  const percent = Math.round(rate * 10_000) / 100
  const input: FacturXInvoiceInput = {
    document: {
      id: invoice.number,
      issueDate: dayOf(invoice.issued_at),
      typeCode: corrects ? DocumentTypeCode.CREDIT_NOTE : DocumentTypeCode.COMMERCIAL_INVOICE,
      ...(category === 'E' && reason !== null && { notes: [{ content: reason }] }),
    },
    seller: {
      name: seller.name,
      ...(registration.schemeId !== 'VA' || category === 'O' ? { id: seller.vat_number } : {}),
      ...(category !== 'O' && { taxRegistrations: [registration] }),
      address: {
        line1: seller.street,
        city: seller.town,
        postalCode: seller.postcode,
        country: seller.country,
      },
    },
    buyer: { name: invoice.buyer_name, address: address(invoice.buyer_country) },
    lines: [
      {
        id: '1',
        name: lineOf(invoice, speech),
        quantity: 1,
        unitCode: UnitCode.UNIT,
        unitPrice: net,
        lineTotal: net,
        vatCategoryCode: category,
        ...(category !== 'O' && { vatRatePercent: percent }),
      },
    ],
    delivery: { date: dayOf(invoice.paid_at) },
    ...(corrects && {
      references: [{ id: corrects.number, type: 'preceding' as const, issueDate: dayOf(corrects.issued_at) }],
    }),
    totals: {
      lineTotal: net,
      taxBasisTotal: net,
      taxTotal: vat,
      grandTotal: gross,
      // Nothing is due: an invoice is issued after its payment, and a credit note is refunded the way it was paid.
      prepaidAmount: gross,
      duePayableAmount: 0,
      currency: 'EUR',
    },
    vatBreakdown: [
      {
        categoryCode: category,
        ratePercent: percent,
        taxableAmount: net,
        taxAmount: vat,
        ...(reason !== null && { exemptionReason: reason }),
        ...(category === 'O' && { exemptionReasonCode: 'VATEX-EU-O' }),
      },
    ],
  }
  // Only the buyer's country is known. Remove the empty elements that the library writes for the rest of the address.
  return buildXml(input, Profile.EN16931).replaceAll(/<ram:(LineOne|CityName)><\/ram:\1>/g, '')
}
