import { Alert, Button, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { membershipTexts } from './memberships.messages.ts'

/** Says that the people of a plan could not be loaded, and offers to try again. */
export function IncompleteData({ problem, onRetry }: { problem: unknown; onRetry: () => void }) {
  return (
    <Alert
      color="honey"
      mb="md"
      icon={<IconAlertTriangle aria-hidden />}
      title={membershipTexts.incompleteTitle}
    >
      <Text size="sm" mb="sm">
        {membershipTexts.membersFailed(problem)}
      </Text>
      <Button size="sm" variant="default" onClick={onRetry}>
        Retry Loading
      </Button>
    </Alert>
  )
}
