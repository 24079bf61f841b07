import { t } from '@lingui/core/macro'
import { Alert } from '@mantine/core'
import { IconBellRinging } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { pendingRequestTexts } from './pending-requests.messages.ts'
import { pendingRequestCountQuery } from './pending-requests.queries.ts'

/** A banner for admins while provider requests are pending. */
export function PendingRequestsBanner() {
  const { data: count = 0 } = useQuery(pendingRequestCountQuery)
  if (count === 0) return null
  return (
    <Alert
      mb="lg"
      color="honey"
      title={pendingRequestTexts.waiting(count)}
      icon={<IconBellRinging aria-hidden />}
    >
      {t`Use the bell at the top to approve or reject.`}
    </Alert>
  )
}
