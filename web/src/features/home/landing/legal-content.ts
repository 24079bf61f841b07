import { LIMITS } from '@potluck/supabase/limits'
import { percentOf } from '#domain/fees.ts'
import type { LegalSection } from './LegalPage.tsx'

/** What happens to people's data, as run by this operator. */
export const privacySections = (operator: string): LegalSection[] => [
  {
    title: 'Who is responsible',
    text: `This copy of Potluck is run by ${operator}. Questions about your data, and requests to see, correct or delete it, go to them.`,
  },
  {
    title: 'What is kept',
    text: 'Your email address, a scrambled form of your password, and what you enter: your name and picture, the plans you share or join, requests, messages, notifications, payments and coins, and, if you store it, how members pay you. There is no tracking and no advertising.',
  },
  {
    title: 'Who sees it',
    text: 'Signed-in people see the plans on offer with the name of their owner. The owner of a plan sees who asks for a place and who is a member, with name and email. Messages are seen by the two people writing them. What is due and paid between two people by these two and by admins, and how an owner is paid by whoever pays them directly. Login names, passwords, links and notes for shared accounts are encrypted before they are stored. Owner and members see the login name and open the rest, and each opening is kept on a list that the owner and whoever opened see.',
  },
  {
    title: 'In your browser',
    text: 'Your session and a few settings are stored in your browser so that you stay signed in. What you saw last is kept there too, so that you see it without a connection; never what opens a plan, and only until you sign out. If a device is to notify you, the push service of its browser carries the message, sealed for that device alone. Logos of services may be loaded from a logo service, which then sees your internet address.',
  },
  {
    title: 'How long',
    text: `Until you delete it or ask ${operator} to. Records of coins and payouts are kept for as long as the law requires.`,
  },
]

/** The terms of use, as run by this operator. A fee that is unknown is not mentioned. */
export const termsSections = (operator: string, feeRate: number | undefined): LegalSection[] => [
  {
    title: 'What Potluck does',
    text: `This copy of Potluck is run by ${operator}. Here people who pay for a subscription and people who want to share it find each other. The agreement about a plan is between its owner and its members.`,
  },
  {
    title: 'Only what may be shared',
    text: 'Share a plan only as far as the terms of its provider allow. You are responsible for that. Plans that break this rule can be taken off the table.',
  },
  {
    title: 'Prices and fee',
    text: `The price of a plan comes from the catalogue and is divided by its places. Members pay their share: to the owner directly and without a fee, or through this site with a convenience fee, as the owner has chosen. ${feeRate === undefined ? 'A' : `The fee is ${percentOf(feeRate)} percent for plans that are shared now; a`} plan keeps the fee it was shared with. Catalogue prices are checked with care but can be out of date.`,
  },
  {
    title: 'Coins',
    text: `An owner earns one coin for every euro of the shares that members pay through this site, while access works. One coin is worth one euro and can be paid out from ${LIMITS.leastWithdrawal} coins on. Payouts are made by hand within 1-3 business days.`,
  },
  {
    title: 'Leaving',
    text: 'Members can leave a plan at any time, now or at the end of the month they are in, and owners can remove members or end a plan. Accounts that harm others can be closed.',
  },
  {
    title: 'No guarantee',
    text: `Potluck is offered as it is: ${operator} cannot promise that a shared service stays available or that people keep their word, and is liable only where the law says so.`,
  },
]

/** How far everybody can use the site, as the European Accessibility Act asks to be told. */
export const accessibilitySections = (operator: string): LegalSection[] => [
  {
    title: 'What we aim at',
    text: 'Level AA of the Web Content Accessibility Guidelines 2.2, on every page, on phones and on computers, in light and in dark.',
  },
  {
    title: 'What works',
    text: 'Everything can be done by keyboard, and everything has a name and a state that a screen reader reads. Text can be twice as large, and a page magnified four times, without scrolling sideways. Colours keep their contrast, nothing is told by colour alone, and high-contrast colours of your system are respected. Whoever prefers less motion gets none.',
  },
  {
    title: 'What does not yet',
    text: 'Nobody who depends on a screen reader has tried every page yet. Pictures that people upload of themselves have their name as their only description. What people write to each other is shown as they wrote it. Card payments may lead to a page of your bank, which we cannot change. The site speaks English only.',
  },
  {
    title: 'How we know',
    text: 'Every page is checked by axe with each change, at several widths and in both colour schemes, and the ways through joining, paying, chatting and sharing are walked by keyboard. This is our own assessment, not that of an outside auditor.',
  },
  {
    title: 'Tell us',
    text: `If something keeps you out, write to ${operator} on the page Help, which answers there and by email. If the answer does not help, the body that watches over accessibility in your country takes complaints.`,
  },
]
