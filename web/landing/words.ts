import { t } from '@lingui/core/macro'

/** The English texts in the HTML files of the pages, each with its translation into the language being drawn. */
export const pageWords = (): Record<string, string> => ({
  'Potluck: share the plan, split the cost': t`Potluck: share the plan, split the cost`,
  'Share the plan. Split the cost. Potluck is where people share paid subscriptions and split what they cost.': t`Share the plan. Split the cost. Potluck is where people share paid subscriptions and split what they cost.`,
  'Share the plan. Split the cost.': t`Share the plan. Split the cost.`,
  'Everyone brings a share: Potluck finds the people for a streaming, music, gaming or software plan and does the sums.': t`Everyone brings a share: Potluck finds the people for a streaming, music, gaming or software plan and does the sums.`,
  'A clay pot on a table: Share the plan. Split the cost.': t`A clay pot on a table: Share the plan. Split the cost.`,
  'Potluck takes long to load. If nothing happens, check your connection, then load the page again.': t`Potluck takes long to load. If nothing happens, check your connection, then load the page again.`,
  'Signing in and sharing need JavaScript. Please switch it on and load the page again.': t`Signing in and sharing need JavaScript. Please switch it on and load the page again.`,
})

/** Translations of the sentences of `page_head()` into the language being drawn; $1 stands for the first (.+). */
export const headSentences = (): Record<string, string> => ({
  'Browse Plans · Potluck': t`Browse Plans · Potluck`,
  'Streaming, music, gaming and software plans to share. The price you see is all you pay.': t`Streaming, music, gaming and software plans to share. The price you see is all you pay.`,
  'No one here · Potluck': t`No one here · Potluck`,
  'See what this person shares, how reliable they are and their reviews.': t`See what this person shares, how reliable they are and their reviews.`,
  'A private plan · Potluck': t`A private plan · Potluck`,
  'A private plan': t`A private plan`,
  'Sign in or sign up to see it.': t`Sign in or sign up to see it.`,
  'We can’t find this plan · Potluck': t`We can’t find this plan · Potluck`,
  'We can’t find this plan': t`We can’t find this plan`,
  'The owner may have cancelled it or made it private. Other plans have a place for you.': t`The owner may have cancelled it or made it private. Other plans have a place for you.`,
  '(.+) for €(.+) a month · Potluck': t`$1 for €$2 a month · Potluck`,
  'Shared by (.+). (.+) of (.+) places open, €(.+) a month all in.': t`Shared by $1. $2 of $3 places open, €$4 a month all in.`,
  'The mark of (.+) and a clay pot: Share (.+). Split the cost.': t`The mark of $1 and a clay pot: Share $1. Split the cost.`,
})
