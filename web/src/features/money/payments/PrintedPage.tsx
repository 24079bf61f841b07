import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { IconPrinter } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Logo } from '#ui/Logo.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import classes from './Receipt.module.css'

interface PrintedPageProps {
  titleId: string
  children: ReactNode
}

/** A document on one page, with a button to print it. */
export function PrintedPage({ titleId, children }: PrintedPageProps) {
  return (
    <SurfaceCard component="article" aria-labelledby={titleId}>
      <div className={classes.logo}>
        <Logo />
      </div>
      {children}
      <Button
        className={classes.print}
        variant="default"
        leftSection={<IconPrinter size={18} aria-hidden />}
        onClick={() => window.print()}
      >
        {t`Print`}
      </Button>
    </SurfaceCard>
  )
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
