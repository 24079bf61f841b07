import { t } from '@lingui/core/macro'

/** What the files of the pages say themselves, as it stands there and in the language that is drawn. */
export const pageWords = (): Record<string, string> => ({
  'Potluck: share the plan, split the cost': t`Potluck: share the plan, split the cost`,
  'Share the plan. Split the cost. Potluck is where people share paid subscriptions and split what they cost.': t`Share the plan. Split the cost. Potluck is where people share paid subscriptions and split what they cost.`,
  'Share the plan. Split the cost.': t`Share the plan. Split the cost.`,
  'Everyone brings a share: Potluck finds the people for a streaming, music, gaming or software plan and does the sums.': t`Everyone brings a share: Potluck finds the people for a streaming, music, gaming or software plan and does the sums.`,
  'A clay pot on a table: Share the plan. Split the cost.': t`A clay pot on a table: Share the plan. Split the cost.`,
  'Potluck takes long to load. If nothing happens, check your connection, then load the page again.': t`Potluck takes long to load. If nothing happens, check your connection, then load the page again.`,
  'Signing in and sharing need JavaScript. Please switch it on and load the page again.': t`Signing in and sharing need JavaScript. Please switch it on and load the page again.`,
})
