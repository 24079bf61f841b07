import { Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { pageNamed } from './announce.ts'
import { HeadingRow } from './HeadingRow.tsx'

interface PageTitleProps {
  title: string
  /** Makes the title smaller, for a page whose subject has its own, larger heading. */
  quiet?: boolean
  children?: ReactNode
  /** Buttons at the end of the line. */
  actions?: ReactNode
}

/** The heading of a screen, which also names the browser tab. */
export function PageTitle({ title, quiet = false, children, actions }: PageTitleProps) {
  usePageName(title)
  return (
    <HeadingRow align="flex-end" mb={quiet ? 'xs' : 'lg'} aside={actions}>
      <Stack gap={4}>
        <Title order={1} {...(quiet && { size: 'h5', c: 'dimmed' })}>
          {title}
        </Title>
        {children && <Text c="dimmed">{children}</Text>}
      </Stack>
    </HeadingRow>
  )
}

/** Names the browser tab; null leaves its name unchanged. */
export function usePageName(name: string | null): void {
  useEffect(() => {
    if (name === null) return
    const title = `${name} · Potluck`
    if (document.title !== title) pageNamed(name)
    document.title = title
    return () => {
      document.title = 'Potluck'
    }
  }, [name])
}
