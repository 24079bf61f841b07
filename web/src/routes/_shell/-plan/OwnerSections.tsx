import { t } from '@lingui/core/macro'
import { Card, Tabs } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, Suspense, useRef } from 'react'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { usePhone } from '#ui/use-phone.ts'
import classes from './PlanViews.module.css'
import { planSearch, SECTIONS, type Section } from './sections.ts'

/** The sections of an owner's plan page as tabs, each with its own URL. */
export function OwnerSections(parts: Record<Section, ReactNode>) {
  const { section: shown = 'people' } = useSearch({ strict: false })
  const navigate = useNavigate()
  const phone = usePhone()
  const top = useRef<HTMLDivElement>(null)
  const show = (section: string | null) => {
    void navigate({
      to: '.',
      search: (search) => ({ ...search, ...planSearch.parse({ section }) }),
      replace: true,
      resetScroll: false,
    })
    // A section starts at its top, even if the previous one was scrolled down.
    if (top.current && top.current.getBoundingClientRect().top < 64) top.current.scrollIntoView()
  }
  return (
    <Tabs value={shown} onChange={show} keepMounted={false}>
      <div ref={top} className={classes.top} />
      <Tabs.List grow={phone} className={classes.sections} aria-label={t`Sections`}>
        {keys(parts).map((section) => (
          <Tabs.Tab key={section} value={section}>
            {SECTIONS[section]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {keys(parts).map((section) => (
        <Tabs.Panel key={section} value={section} pt="md">
          <Suspense
            fallback={
              <Card>
                <RowsSkeleton rows={3} />
              </Card>
            }
          >
            {parts[section]}
          </Suspense>
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}

const keys = (parts: Record<Section, ReactNode>) => Object.keys(parts) as Section[]
