import { Box } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ownSeatsQuery } from '#features/money/payments/seats.queries.ts'
import { ReportLink } from './ReportLink.tsx'

interface ChatAsideProps {
  parties: { planId: string; memberId: string }
  userId: string
  onLeave: () => void
}

/** Lets a member who chats with the owner report a problem instead, since only a report sets deadlines. */
export function ChatAside({ parties: { planId, memberId }, userId, onLeave }: ChatAsideProps) {
  const { data: seats } = useQuery({ ...ownSeatsQuery(userId), enabled: memberId === userId })
  const seat = memberId === userId && seats?.find((one) => one.planId === planId)
  return (
    seat && (
      <Box flex="none" px="md" pb={4}>
        <ReportLink seat={seat} onLeave={onLeave} size="compact-xs" />
      </Box>
    )
  )
}
