import { t } from '@lingui/core/macro'
import { Alert, Button, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { reasonOf } from '#lib/errors.ts'

interface LoadAlertProps {
  title: string
  problem: unknown
  onRetry: () => void
}

/** An alert for a part of a screen that could not be loaded, with the reason and a retry. */
export function LoadAlert({ title, problem, onRetry }: LoadAlertProps) {
  return (
    <Alert color="beet" role="alert" title={title} icon={<IconAlertTriangle aria-hidden />}>
      <Text size="sm" mb="sm">
        {reasonOf(problem)}
      </Text>
      <Button size="sm" variant="default" onClick={onRetry}>
        {t`Retry`}
      </Button>
    </Alert>
  )
}
