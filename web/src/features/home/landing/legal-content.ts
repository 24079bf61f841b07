import { plural, t } from '@lingui/core/macro'
import { LIMITS } from '@potluck/supabase/limits'
import { countryName } from '#domain/countries.ts'
import { fullDay } from '#domain/dates.ts'
import { percentOf } from '#domain/fees.ts'
import { listOf } from '#domain/lists.ts'
import type { Operator } from '#features/account/sellers/operator.queries.ts'
// Written by e2e/accessibility-record.ts.
import check from './accessibility-check.json' with { type: 'json' }
import type { LegalSection } from './LegalPage.tsx'
import { basisText, personalData } from './personal-data.ts'

/** The privacy policy, naming this operator. */
export const privacySections = (operator: string): LegalSection[] => [
  {
    title: t`Who is responsible`,
    text: t`This copy of Potluck is run by ${operator}. Questions about your data go to them.`,
  },
  {
    title: t`What is kept, why and how long`,
    text: t`There is no tracking and no advertising.`,
    entries: personalData().map(({ title, data, purpose, bases, kept }) => ({
      title,
      text: data,
      facts: [
        [t`Why`, purpose],
        [t`Legal basis`, bases.map(basisText).join('; ')],
        [t`Kept`, kept],
      ],
    })),
  },
  {
    title: t`Who sees it`,
    items: [
      t`Everyone can see public plans, and the first name, picture, standing and reviews of their owners.`,
      t`The owner of a plan sees the name and email of everyone who asks for a place or is a member.`,
      t`Only the two people in a chat see its messages; if one reports the other, our team may read them until it has decided, and each reading is recorded.`,
      t`Payments are seen by the two people concerned and by admins, and an owner’s payment details by those who pay them directly.`,
      t`Login names, passwords, links and notes for shared accounts are encrypted. The owner and members see the login name and can open the rest; the owner and the person who opened it see a record of that.`,
      t`Of an owner who shares as a trader, signed-in people also see the name, address and other details given as the seller.`,
    ],
  },
  {
    title: t`What Stripe gets`,
    items: [
      t`Where this site takes cards, Stripe handles them. If you pay, what you enter about your card or account goes from your browser to Stripe and never to us; so does your internet address and what else Stripe’s form can tell of your browser. From us Stripe gets a number that stands for you, the amount and the name of the plan. We keep the kind of card, its last four digits and its expiry date.`,
      t`If your bank disputes a payment, Stripe and the bank get from us your name, your email address, and what shows that you had access: when you joined, paid and opened the plan, when messages were written, but never what they say.`,
      t`If you share plans and open an account for payouts, Stripe gets from us your email address and that number. Who you are, your date of birth, your address and your bank account you tell Stripe itself, and perhaps show it a document. We learn only whether you can be paid, what Stripe still asks of you and until when, and what it paid out. For this, and against fraud, Stripe is responsible itself: see stripe.com/privacy.`,
    ],
  },
  {
    title: t`What the tax office gets`,
    text: t`Where the law has this site report what owners earn (DAC7), it asks owners who are paid through it for their name, address, date of birth and tax numbers. These are stored encrypted, opened only for the report, and given to the tax office once a year with the bank account and what was earned in each quarter. Tax offices in the EU pass it on to the country you live in. Your statement of the year shows what is reported.`,
  },
  {
    title: t`In your browser`,
    items: [
      t`Your session and a few settings, so that you stay signed in, and what you saw last, so that it works offline; never passwords for plans, and only until you sign out.`,
      t`If you turn on notifications, your browser’s push service delivers them, encrypted for your device.`,
      t`Logos may be loaded from a logo service, which then sees your internet address.`,
    ],
  },
  {
    title: t`Your rights`,
    items: [
      t`Under Profile → Privacy and data you download what is stored about you, or delete your account.`,
      t`You can object to what rests on a legitimate interest, and withdraw your consent at any time.`,
      t`Whatever you cannot see, correct or delete yourself, ask ${operator} for. You can also complain to the data protection authority of your country.`,
    ],
  },
]

/** The terms of use, naming this operator. If the fee is undefined, the terms do not mention it. */
export const termsSections = (
  operator: string,
  feeRate: number | undefined,
  takesReports: boolean,
): LegalSection[] => [
  {
    title: t`What Potluck does`,
    text: [
      t`This copy of Potluck is run by ${operator}. It brings together people who pay for a subscription and people who want to share it. The agreement about a plan is between its owner and members.`,
      t`Each owner says whether they share as a private person or as a trader. Between two private people consumer law does not apply; a trader’s members have the rights of consumers.`,
    ].join(' '),
  },
  {
    title: t`Only what may be shared`,
    text: t`Share a plan only as far as its provider’s terms allow. You are responsible for that, and we can hide plans that break this rule.`,
  },
  {
    title: t`What is not allowed`,
    items: [
      t`Taking money for access that you do not give, or asking people to pay or to share a login around the ways this site offers`,
      t`Saying something untrue about a plan, a payment or a person`,
      t`Insulting, threatening or harassing anyone`,
      t`Showing other people’s private data, or what others hold the rights to`,
      t`Advertising, and anything that the law forbids`,
    ],
  },
  {
    title: t`Prices and fee`,
    text: [
      t`The price of a plan comes from the catalogue and is divided by its places. Members pay their share: to the owner directly and without a fee, or through this site with a convenience fee, as the owner has chosen.`,
      feeRate === undefined
        ? t`A plan keeps the fee it was shared with.`
        : t`The fee is ${{ percent: percentOf(feeRate) }} percent for plans that are shared now; a plan keeps the fee it was shared with.`,
      t`Catalogue prices are checked with care but can be out of date.`,
    ].join(' '),
  },
  {
    title: t`Coins`,
    text: t`An owner earns one coin for every euro of the shares that members pay through this site, while access works. One coin is worth one euro, and you can withdraw from ${LIMITS.leastWithdrawal} coins. Payouts take 1-3 business days.`,
  },
  {
    title: t`Leaving`,
    text: t`Members can leave a plan at any time, now or at the end of the month they are in, and owners can remove members or end a plan. Accounts that harm others can be closed.`,
  },
  {
    title: t`Withdrawing from the contract`,
    text: [
      plural(LIMITS.contractWithdrawalPeriodHours / 24, {
        one: 'If you pay for your place through this site, you can withdraw from the contract within # day of joining, without giving a reason: with the button “Withdraw from contract” under My Payments, or by leaving now on the plan’s page.',
        other:
          'If you pay for your place through this site, you can withdraw from the contract within # days of joining, without giving a reason: with the button “Withdraw from contract” under My Payments, or by leaving now on the plan’s page.',
      }),
      plural(LIMITS.contractRefundTimeHours / 24, {
        one: 'We confirm it by email at once, and return what you paid within # day, the way you paid it.',
        other: 'We confirm it by email at once, and return what you paid within # days, the way you paid it.',
      }),
      t`If you asked us to begin at once, you pay for the days you had access until then. Places that you pay the owner for directly are a contract with the owner alone.`,
    ].join(' '),
  },
  {
    title: t`No guarantee`,
    text: t`Potluck is offered as it is: ${operator} cannot promise that a shared service stays available or that people keep their word, and is liable only where the law says so.`,
  },
  {
    title: t`How we decide about content and people`,
    items: [
      ...(takesReports
        ? [
            t`Anyone can report a plan, a person, a picture, a review or a message, with or without an account. A person looks at every report; no program decides.`,
          ]
        : []),
      t`We can warn, hide a plan or a review, remove a message or a picture, hold payouts, or suspend an account: no more than the case needs, and looking at both sides.`,
      t`Whoever we decide against reads what happened, which section or law it breaks, and until when it holds. Whoever reported it reads what we decided.`,
      t`You can appeal for six months, at no cost. Somebody else of the team decides again; if there is nobody else, the same person does after a day, and says so. You can turn to a court, too.`,
      t`Authorities and everyone else reach us at the addresses in the imprint, in English or in the language of the site.`,
    ],
    href: '/imprint',
    link: t`Imprint`,
  },
]

/** The imprint (Directive 2000/31/EC, Art. 5), with the details that are known. `host` stands for a missing name. */
export const imprintSections = (operator: Operator, host: string): LegalSection[] => {
  const { name, street, postcode, town, country, email, phone, register, vatNumber } = operator
  const address = [street, [postcode, town].filter(Boolean).join(' '), country && countryName(country)]
  const sections = [
    { title: t`Name`, text: name ?? host },
    { title: t`Address`, text: address.filter(Boolean).join(', ') },
    { title: t`Email`, text: email, href: `mailto:${email}` },
    phone
      ? { title: t`Telephone`, text: phone, href: `tel:${phone.replaceAll(/[^+\d]/g, '')}` }
      : { title: t`Contact`, text: t`Write to us on the page Help.`, href: '/help' },
    { title: t`Register`, text: register },
    { title: t`VAT number`, text: vatNumber },
  ]
  return sections.flatMap(({ text, ...section }) => (text ? [{ ...section, text }] : []))
}

/** The accessibility statement required by the European Accessibility Act. */
export const accessibilitySections = (operator: string): LegalSection[] => [
  {
    title: t`What we aim at`,
    text: t`Level AA of the Web Content Accessibility Guidelines 2.2, on every page, on phones and on computers, in light and in dark.`,
  },
  {
    title: t`What works`,
    items: [
      t`Everything can be done by keyboard, and everything has a name and a state that a screen reader reads.`,
      t`On a new page its heading is read, in a list that you narrow how much is left, and in a form that is refused the first field that is wrong.`,
      t`Text can be twice as large, and a page magnified four times, without scrolling sideways.`,
      t`Colours keep their contrast, nothing is told by colour alone, and high-contrast colours of your system are respected.`,
      t`Whoever prefers less motion gets none.`,
    ],
  },
  {
    title: t`What does not yet`,
    items: [
      t`Nobody who depends on a screen reader has tried the site yet, with NVDA, JAWS, VoiceOver or TalkBack.`,
      t`Most messages about what you just did go away after five to eight seconds.`,
      t`At sign-in, what is wrong may be read twice.`,
      t`Some charts are described by their sums alone.`,
      t`Magnified four times, a long row of tabs scrolls sideways by itself.`,
      t`Pictures that people upload of themselves have their name as their only description.`,
      t`What people write to each other is shown as they wrote it.`,
      t`Card payments may lead to a page of your bank, which we cannot change.`,
    ],
  },
  {
    title: t`How we know`,
    items: [
      t`On ${fullDay(check.day)}, axe ${check.axe} checked ${check.pages} pages of this software, ${listOf(check.widths.map(String))} pixels wide, in light and, for contrast, in dark, and found nothing. Such a checker finds only some of the barriers.`,
      t`In our tests, the ways through joining, paying, chatting and sharing are walked by keyboard.`,
      t`In November 2026 we followed, step by step, what Chromium tells screen readers on these ways and in the work of our staff: its accessibility tree, where the focus goes, and what is announced.`,
      t`This is our own assessment, not that of an outside auditor.`,
    ],
  },
  {
    title: t`Tell us`,
    text: t`If something keeps you out, write to ${operator} on the page Help, which answers there and by email. If the answer does not help, the body that watches over accessibility in your country takes complaints.`,
    href: '/help',
    link: t`Help`,
  },
]
