/**
 * Source of a pattern that matches an English question that asks for a time. "when" as a conjunction does not ask for a
 * time: "What does the host see when I book?"
 */
export const whenQuestion = String.raw`\bwhen['’](?:s|re|d|ll)\b|\bwhen to\b|\bwhen (?:exactly )?(?:is|are|was|were|am|do|does|did|has|have|had|can|could|will|would|shall|should|may|might|must)(?:n['’]t)?\b|\b(?:since|by|until|till|know|tell me|say|says|find out|exactly) when\b|\bwhen\P{L}*$`;
