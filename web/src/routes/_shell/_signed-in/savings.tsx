import { t } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { loadSavings, MySavings } from './-my-savings.tsx'
import { savingsSearch } from './-savings-search.ts'

/** An alias of /my-savings. */
export const Route = createFileRoute('/_shell/_signed-in/savings')({
  staticData: { signInNotice: { title: t`Please sign in to view your savings.` } },
  validateSearch: savingsSearch,
  loader: ({ context: { queryClient: cache, user } }) => loadSavings(cache, user.id),
  component: MySavings,
})
