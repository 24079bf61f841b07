import { t } from '@lingui/core/macro'
import { Button, MantineProvider } from '@mantine/core'
import { useEffect } from 'react'
import { useBackOnline } from '#lib/online.ts'
import { siteAnswers } from '#lib/site.ts'
import { EmptyState } from './EmptyState.tsx'
import { cssVariablesResolver, theme } from './theme.ts'

/** Shown if the app could not start, most likely because the site cannot be reached. */
export function StartFailure() {
  useEffect(() => void siteAnswers(), [])
  useBackOnline(() => window.location.reload())
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariablesResolver} defaultColorScheme="auto">
      <main>
        <EmptyState
          order={1}
          title={t`Potluck could not be reached`}
          action={<Button onClick={() => window.location.reload()}>{t`Try Again`}</Button>}
        >
          {t`Check your connection and try again.`}
        </EmptyState>
      </main>
    </MantineProvider>
  )
}
